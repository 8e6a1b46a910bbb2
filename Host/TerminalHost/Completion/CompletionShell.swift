// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The completion scripts of bash, zsh and fish. Each asks `bulkhead complete` and shows the answer. Main thread.

/// A shell with completions.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish

    /// The folder of its scripts, below `share`.
    var folder: String {
        switch self {
        case .bash: "bash-completion/completions"
        case .zsh: "zsh/site-functions"
        case .fish: "fish/vendor_completions.d"
        }
    }

    var fileName: String {
        switch self {
        case .bash: "bulkhead"
        case .zsh: "_bulkhead"
        case .fish: "bulkhead.fish"
        }
    }

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// The script for bash, which splits words at ":" and "=", and replaces only the last part.
    ///
    /// IDs and `KEYPATH=VALUE` have both.
    private static let bashScript = #"""
        # bash completion for bulkhead
        _bulkhead() {
            local line=${COMP_LINE:0:COMP_POINT} words=() word i
            # Joins the parts between which the line has no space.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                [[ $i -eq $COMP_CWORD && $line != *"$word" ]] && word=${line##*[[:space:]]}
                if [[ $i -gt 0 && ${line:0:${#word}} == "$word" && -n $word ]]; then
                    words[${#words[@]} - 1]+=$word
                else
                    line=${line#"${line%%[![:space:]]*}"}
                    words+=("$word")
                fi
                line=${line#"$word"}
            done
            local current=${words[${#words[@]} - 1]} quote=
            [[ $current == [\"\']* ]] && quote=${current:0:1}
            words=("${words[@]//[\\\"\']/}")
            local plain=${words[${#words[@]} - 1]} part=${COMP_WORDS[COMP_CWORD]}
            [[ $part == [:=]* ]] && part=
            # What stands before the part that bash replaces.
            local kept=
            [[ -z $quote && $current == *[:=]* ]] && kept=${current%"$part"}
            local kind text candidates=()
            {
                read -r kind
                while IFS=$'\t' read -r text _; do candidates+=("$text"); done
            } < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
            COMPREPLY=()
            case $kind in
                files) compopt -o default ;;
                folders) compopt -o dirnames ;;
            esac
            for text in "${candidates[@]}"; do
                [[ $text == *= ]] && compopt -o nospace
                [[ -z $quote && $text == *[^a-zA-Z0-9_.,:=/@%+-]* ]] && printf -v text %q "$text"
                COMPREPLY+=("${text#"$kept"}")
            done
        }
        complete -F _bulkhead bulkhead

        """#

    private static let zshScript = #"""
        #compdef bulkhead
        # zsh completion for bulkhead
        _bulkhead() {
            local -a lines closed open
            local line text
            lines=("${(@f)$(${(Q)words[1]} complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            case $lines[1] in
                files) compset -P '--*='; _files; return ;;
                folders) compset -P '--*='; _files -/; return ;;
            esac
            for line in "${(@)lines[2,-1]}"; do
                text=${${line%%$'\t'*}//:/\\:}
                if [[ $text == *= ]]; then
                    open+=("$text:${line#*$'\t'}")
                else
                    closed+=("$text:${line#*$'\t'}")
                fi
            done
            (( $#closed )) && _describe -t values value closed
            (( $#open )) && _describe -t parameters parameter open -S ''
        }
        _bulkhead "$@"

        """#

    private static let fishScript = #"""
        # fish completion for bulkhead
        function __bulkhead_complete
            set -l before (commandline -opc)
            # Without the quotes of the shell, closed or not.
            set -l typed (commandline -ct)
            set -l current (string unescape -- "$typed"; or string replace -r -- '^["\']' '' "$typed")
            set -l option (string match -r -- '^--[^=]*=' "$current")
            set -l path (string replace -r -- '^--[^=]*=' '' "$current")
            set -l lines ($before[1] complete $before[2..-1] "$current" 2>/dev/null)
            switch "$lines[1]"
                case files
                    printf "$option%s\n" (__fish_complete_path "$path")
                case folders
                    printf "$option%s\n" (__fish_complete_directories "$path")
                case '*'
                    string join \n -- $lines[2..-1]
            end
        end
        complete -c bulkhead -f -a '(__bulkhead_complete)'

        """#
}
