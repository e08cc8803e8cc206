# SPDX-License-Identifier: MIT
# Completes the nftrace command in bash: source it, or put it where
# bash-completion looks, as .../bash-completion/completions/nftrace

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
			mapfile -t COMPREPLY < <(compgen -W "$(lttng --mi xml list 2>/dev/null |
				sed -n 's|.*<session><name>\([^<]*\)</name>.*|\1|p')" -- "$word")
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
