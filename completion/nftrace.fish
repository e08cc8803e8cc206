# SPDX-License-Identifier: MIT
# Completes the nftrace command in fish: put it where fish looks, as
# ~/.config/fish/completions/nftrace.fish

function __nftrace_sessions
    lttng --mi xml list 2>/dev/null | string replace -rf '.*<session><name>([^<]*)</name>.*' '$1'
end

# Whether the first word is one of some commands.
function __nftrace_uses
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
end

function __nftrace_needs_command
    test (count (commandline -opc)) -eq 1
end

function __nftrace_needs_word
    test (count (commandline -opc)) -eq 2
end

complete -c nftrace -f

for condition in __nftrace_needs_command '__nftrace_uses help; and __nftrace_needs_word'
    complete -c nftrace -n $condition -a record -d 'Record a service into a trace'
    complete -c nftrace -n $condition -a read -d 'Print traces as Bunyan lines'
    complete -c nftrace -n $condition -a tail -d 'Print records as they are made'
    complete -c nftrace -n $condition -a snapshot -d 'Keep the last moments in memory'
    complete -c nftrace -n $condition -a status -d 'What can be traced, and what is'
    complete -c nftrace -n $condition -a pipe -d 'Turn log lines on stdin into events'
end
complete -c nftrace -n __nftrace_needs_command -a help -d 'How to use a command'
complete -c nftrace -n __nftrace_needs_command -l version -d 'Print the version'
complete -c nftrace -n 'not __nftrace_uses help' -s h -l help -d 'Print help'

set -l filters '__nftrace_uses record read tail snapshot'
complete -c nftrace -n $filters -s l -l level -x -a 'trace debug info warn error fatal' -d 'This level and above'
complete -c nftrace -n $filters -s n -l name -x -d 'Records of loggers of this name'

set -l makes '__nftrace_uses record snapshot'
complete -c nftrace -n $makes -s f -l filter -x -d 'Records that an LTTng filter accepts'
complete -c nftrace -n $makes -s b -l buffers -x -d 'A ring buffer of SIZExN for each CPU'
complete -c nftrace -n $makes -s o -l output -x -a '(__fish_complete_directories)' -d 'A new or empty folder'

complete -c nftrace -n '__nftrace_uses record' -l kernel -x -d 'Kernel tracepoints too'
complete -c nftrace -n '__nftrace_uses record' -l syscalls -x -d 'System calls too'
complete -c nftrace -n '__nftrace_uses record' -l lossless -d 'Full buffers block the application'
complete -c nftrace -n '__nftrace_uses record' -l to -x -a '(__fish_print_hostnames)' -d 'The relay daemon of another host'
complete -c nftrace -n '__nftrace_uses record; and contains -- -- (commandline -opc)' -x -a '(__fish_complete_subcommand)'

set -l prints '__nftrace_uses read tail'
complete -c nftrace -n $prints -s a -l all -d 'Also events of other programs and of the kernel'
complete -c nftrace -n $prints -s c -l context -d 'Add the context of each record'

complete -c nftrace -n '__nftrace_uses read' -s b -l begin -x -d 'From this time on'
complete -c nftrace -n '__nftrace_uses read' -s e -l end -x -d 'Up to this time'
complete -c nftrace -n '__nftrace_uses read' -l around -x -d 'Chosen records and the events around them'
complete -c nftrace -n '__nftrace_uses read' -l lost-fails -d 'End with status 3 if records were lost'
complete -c nftrace -n '__nftrace_uses read' -a '(__fish_complete_directories)'

set -l follows '__nftrace_uses tail snapshot'
complete -c nftrace -n $follows -s s -l session -x -a '(__nftrace_sessions)' -d 'The session of this name'
complete -c nftrace -n '__nftrace_uses tail' -s u -l url -x -d 'Follow the sessions of a relay daemon'

set -l verbs '__nftrace_uses snapshot; and __nftrace_needs_word'
complete -c nftrace -n $verbs -a start -d 'Begin to record into memory'
complete -c nftrace -n $verbs -a save -d 'Write what is in memory to a new folder'
complete -c nftrace -n $verbs -a stop -d 'End the recorder'
complete -c nftrace -n '__nftrace_uses snapshot' -l on-fatal -d 'Also save on a fatal record'
complete -c nftrace -n '__nftrace_uses snapshot' -l every -x -d 'With --on-fatal, at most one snapshot in so many seconds'

complete -c nftrace -n '__nftrace_uses status' -s j -l json -d 'Print a JSON object'

complete -c nftrace -n '__nftrace_uses pipe' -s s -l strict -d 'End at the first line that is not a JSON object'
complete -c nftrace -n '__nftrace_uses pipe' -s t -l tee -d 'Pass everything on to stdout'
complete -c nftrace -n '__nftrace_uses pipe' -s m -l max-record-bytes -x -d 'The size from which a record is cut'
