// SPDX-License-Identifier: Apache-2.0

/// `vaka completions`: scripts for the shells, made from the manuals.
enum CompletionsCommand: Subcommand {
    static let name = "completions"
    static let manual = Manual(
        summary: "print a completion script for a shell",
        usage: "completions bash|zsh|fish",
        explanation: "Prints a script that completes subcommands and options. make install puts it where shells look.",
        options: [],
        examples: ["source <(vaka completions bash)"])

    static func run(_ options: ParsedOptions) throws {
        switch options.arguments.first {
        case "bash": StandardOutput.write(bash)
        case "zsh": StandardOutput.write(zsh)
        case "fish": StandardOutput.write(fish)
        default: throw UsageError("completions: for which shell? bash, zsh or fish")
        }
    }

    private static func words(_ command: any Subcommand.Type) -> [String] {
        command.manual.options.flatMap { option in
            (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
        } + ["--help"]
    }

    private static var names: String { VakaCommand.subcommands.map { $0.name }.joined(separator: " ") }

    private static var bash: String {
        let cases = VakaCommand.subcommands.map { command in
            "        \(command.name)) words=\"\(words(command).joined(separator: " "))\" ;;\n"
        }.joined()
        return """
            _vaka() {
                local current=${COMP_WORDS[COMP_CWORD]} words=
                if [[ $COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W "\(names) --help --version" -- "$current"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases)    esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                else
                    COMPREPLY=($(compgen -f -- "$current"))
                fi
            }
            complete -o filenames -F _vaka vaka

            """
    }

    private static var zsh: String {
        let list = VakaCommand.subcommands.map { "    '\($0.name):\($0.manual.summary)'\n" }.joined()
        let cases = VakaCommand.subcommands.map { command in
            "    \(command.name)) _arguments \(words(command).map { "'\($0)'" }.joined(separator: " ")) '*:file:_files' ;;\n"
        }.joined()
        return """
            #compdef vaka
            local -a subcommands=(
            \(list))
            if (( CURRENT == 2 )); then
                _describe subcommand subcommands
                return
            fi
            case ${words[2]} in
            \(cases)esac

            """
    }

    private static var fish: String {
        VakaCommand.subcommands.map { command in
            let head =
                "complete -c vaka -n __fish_use_subcommand -f -a \(command.name) -d '\(command.manual.summary)'\n"
            return head
                + command.manual.options.map { option in
                    let value = option.value == nil ? "" : " -r"
                    let letter = option.letter.map { " -s \($0)" } ?? ""
                    let help = option.help.replacing("'", with: "\\'")
                    return
                        "complete -c vaka -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)\(letter)\(value) "
                        + "-d '\(help)'\n"
                }.joined()
        }.joined()
    }
}
