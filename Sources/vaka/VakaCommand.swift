// SPDX-License-Identifier: Apache-2.0
import CArguments
import Glibc
import VakaModel

/// The command: finds the subcommand, and turns what it throws into an exit status.
@main
enum VakaCommand {
    static let subcommands: [any Subcommand.Type] = [
        SymbolicateCommand.self, CoreCommand.self, LookupCommand.self, SymcacheCommand.self, CheckCommand.self,
        InspectCommand.self,
        ServeCommand.self, AdminCommand.self, MigrateCommand.self, UploadCommand.self, ImagesCommand.self,
        BundleCommand.self,
        SubmitCommand.self,
        RunCommand.self,
        CollectCommand.self, DoctorCommand.self, GroupCommand.self, SettingsCommand.self, AlertsCommand.self,
        ObserveCommand.self, ActCommand.self,
        CompletionsCommand.self,
    ]

    static func main() {
        let arguments = Self.arguments
        // A supervised program gets its signals as they were given to us.
        if arguments.first != RunCommand.name { signal(SIGPIPE, SIG_IGN) }
        do {
            try run(arguments)
            try StandardOutput.flush()
        } catch let usage as UsageError {
            Terminal.complain("vaka: \(usage.message)\n")
            exit(2)
        } catch let outcome as PartialFailure {
            try? StandardOutput.flush()
            Terminal.complain("vaka: \(outcome.message)\n".printable(keepingLines: true))
            exit(1)
        } catch {
            Terminal.complain("vaka: \(error)\n".printable(keepingLines: true))
            exit(1)
        }
    }

    /// Without the program's name.
    private static var arguments: [String] {
        var arguments: [String] = []
        while let argument = vaka_argument(Int32(arguments.count + 1)) { arguments.append(String(cString: argument)) }
        return arguments
    }

    private static func run(_ arguments: [String]) throws {
        guard let name = arguments.first else { throw UsageError("which subcommand? vaka --help lists them") }
        switch name {
        case "--help", "-h", "help":
            if name == "help", arguments.count > 1 { return try run([arguments[1], "--help"]) }
            StandardOutput.write(overview)
        case "--version":
            StandardOutput.write("vaka \(VakaVersion.number)\n")
        default:
            guard let subcommand = subcommands.first(where: { $0.name == name }) else {
                throw UsageError("there is no subcommand \"\(name)\"; vaka --help lists them")
            }
            if let subcommand = subcommand as? any ServerSubcommand.Type, !arguments.contains("--help") {
                try ServerProgram.become(subcommand.serverWords + arguments.dropFirst())
            }
            let options = try OptionParser(subcommand.manual).parse(Array(arguments.dropFirst()))
            if options.wantsHelp {
                StandardOutput.write(subcommand.manual.text)
            } else {
                try subcommand.run(options)
            }
        }
    }

    private static var overview: String {
        let width = subcommands.map { $0.name.count }.max() ?? 0
        let list = subcommands.map { command in
            "  \(command.name)\(String(repeating: " ", count: width - command.name.count + 2))\(command.manual.summary)\n"
        }.joined()
        return """
            usage: vaka SUBCOMMAND [OPTION]… [ARGUMENT]…

            Reads, names, uploads and sends crash reports of native programs on Linux.

            \(list)
            vaka SUBCOMMAND --help says more. A first try, with a program of your own:

              LD_PRELOAD=/usr/local/lib/libvakacrash.so VAKA_STORAGE=/tmp/crashes ./program
              vaka symbolicate /tmp/crashes/crashes/*.vakacrash

            Exit status: 0 done, 1 the work failed, 2 wrong usage.

            """
    }
}
