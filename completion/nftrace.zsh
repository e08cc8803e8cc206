#compdef nftrace
# SPDX-License-Identifier: MIT
# Completes the nftrace command in zsh: put it into a folder of $fpath, as _nftrace

local -a commands filters
local level='(trace debug info warn error fatal)'
local ret=1

commands=(
	'record:record a service into a trace'
	'read:print traces as Bunyan lines'
	'tail:print records as they are made'
	'snapshot:keep the last moments in memory'
	'status:what can be traced, and what is'
	'pipe:turn log lines on stdin into events'
	'help:how to use a command'
)

# Live sessions or flight recorders, as lttng list names them.
_nftrace_sessions() {
	local -a sessions
	sessions=(${(f)"$(lttng --mi xml list 2>/dev/null |
		sed -n 's|.*<session><name>\([^<]*\)</name>.*|\1|p')"})
	compadd -a sessions
}

if ((CURRENT == 2)); then
	_describe -t commands command commands && ret=0
	_arguments '--help[print help]' '--version[print the version]' && ret=0
	return ret
fi

filters=(
	"(-l --level)"{-l+,--level=}"[this level and above]:level:$level"
	'*'{-n+,--name=}'[records of loggers of this name]:glob: '
)

shift words
((CURRENT--))
case $words[1] in
record)
	_arguments -s -S $filters \
		'(-f --filter)'{-f+,--filter=}'[records that an LTTng filter accepts]:expression: ' \
		'--kernel=[kernel tracepoints too]:events: ' \
		'--syscalls=[system calls too]:calls: ' \
		'(-b --buffers)'{-b+,--buffers=}'[a ring buffer for each CPU]:SIZExN: ' \
		'--lossless[full buffers block the application]' \
		'(-o --output --to)'{-o+,--output=}'[the folder of the trace]:folder:_directories' \
		'(-o --output)--to=[the relay daemon of another host]:host:_hosts' \
		'(-h --help)'{-h,--help}'[print help]' \
		'(-)1:command: _command_names -e' \
		'*::arguments:_normal' && ret=0
	;;
read)
	_arguments -s -S $filters \
		'(-b --begin)'{-b+,--begin=}'[from this time on]:time: ' \
		'(-e --end)'{-e+,--end=}'[up to this time]:time: ' \
		'--around[chosen records and the events around them]:expression: :duration: ' \
		'(-a --all)'{-a,--all}'[also events of other programs and of the kernel]' \
		'(-c --context)'{-c,--context}'[add the context of each record]' \
		'--lost-fails[end with status 3 if records were lost]' \
		'(-h --help)'{-h,--help}'[print help]' \
		'*:trace:_directories' && ret=0
	;;
tail)
	_arguments -s -S $filters \
		'(-a --all)'{-a,--all}'[also events of other programs and of the kernel]' \
		'(-c --context)'{-c,--context}'[add the context of each record]' \
		'(-s --session)'{-s+,--session=}'[follow live sessions of this name]:session:_nftrace_sessions' \
		'(-u --url)'{-u+,--url=}'[follow the sessions of a relay daemon]:URL: ' \
		'(-h --help)'{-h,--help}'[print help]' && ret=0
	;;
snapshot)
	_arguments -s -S $filters \
		'(-f --filter)'{-f+,--filter=}'[records that an LTTng filter accepts]:expression: ' \
		'(-b --buffers)'{-b+,--buffers=}'[how much is kept for each CPU and user]:SIZExN: ' \
		'(-o --output)'{-o+,--output=}'[where snapshots are saved]:folder:_directories' \
		'--on-fatal[also save on a fatal record]' \
		'--every=[with --on-fatal, at most one snapshot in this time]:seconds: ' \
		'(-s --session)'{-s+,--session=}'[the name of the recorder]:session:_nftrace_sessions' \
		'(-h --help)'{-h,--help}'[print help]' \
		'1:command:(start save stop)' && ret=0
	;;
status)
	_arguments -s -S \
		'(-j --json)'{-j,--json}'[print a JSON object]' \
		'(-h --help)'{-h,--help}'[print help]' && ret=0
	;;
pipe)
	_arguments -s -S \
		'(-s --strict)'{-s,--strict}'[end at the first line that is not a JSON object]' \
		'(-t --tee)'{-t,--tee}'[pass everything on to stdout]' \
		'(-m --max-record-bytes)'{-m+,--max-record-bytes=}'[the size from which a record is cut]:bytes: ' \
		'(-h --help)'{-h,--help}'[print help]' && ret=0
	;;
help)
	_describe -t commands command commands && ret=0
	;;
esac
return ret
