# SPDX-License-Identifier: MIT
# Completes the nftrace command in bash: source it, or put it where
# bash-completion looks, as .../bash-completion/completions/nftrace

# The sessions whose names begin with a word. Anybody may have named them: they are
# never expanded, as compgen -W would, and quoted, so that a terminal shows them.
_nftrace_sessions() {
	local name

	while IFS= read -r name; do
		[[ $name != "$1"* ]] || COMPREPLY+=("$(LC_ALL=C printf %q "$name")")
	done < <(lttng --mi xml list 2>/dev/null | sed 's|<session>|\n&|g' |
		sed -n 's|^<session><name>\([^<]*\)</name>.*|\1|p' |
		sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&#39;/'/g; s/&#13;/\\r/g; s/&amp;/\\&/g")
}

_nftrace() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local commands='record read tail snapshot status pipe help'
	local command=${COMP_WORDS[1]} levels='trace debug info warn error fatal'
	local options

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
		return
	fi
	# --level=WORD comes as three words.
	if [[ $word == = ]]; then
		word=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $before in
	--level | -l)
		mapfile -t COMPREPLY < <(compgen -W "$levels" -- "$word")
		return
		;;
	--output | -o)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	--session | -s)
		if [[ $command == tail || $command == snapshot ]]; then
			_nftrace_sessions "$word"
			return
		fi
		;;
	esac
	case $command in
	record) options='--level --name --filter --kernel --syscalls --buffers --lossless --output --to --help' ;;
	read) options='--level --name --begin --end --around --all --context --lost-fails --help' ;;
	tail) options='--level --name --all --context --session --url --help' ;;
	snapshot) options='start save stop --level --name --filter --buffers --output --on-fatal --every --session --help' ;;
	status) options='--json --help' ;;
	pipe) options='--strict --tee --max-record-bytes --help' ;;
	help) options=$commands ;;
	esac
	if [[ $command == read && $word != -* ]]; then
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	elif [[ $command == record && " ${COMP_WORDS[*]:0:COMP_CWORD} " == *' -- '* ]]; then
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	fi
}

complete -F _nftrace nftrace
