// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A crash that crashers/crashers.def declares, in one of its configurations; the programs are built by `make crashers`.
package struct Crasher: Decodable, Sendable, CustomStringConvertible {
    /// An application frame that the report must have.
    package struct ApplicationFrame: Decodable, Sendable {
        package var function: String
        package var file: String
        package var line: Int?
        /// Of a level: whether it was inlined, and notes that it has.
        package var inlined: Bool?
        package var notes: [String]?
    }

    /// A thread that did not crash, and what it must be found in.
    package struct OtherThread: Decodable, Sendable {
        package var name: String
        package var frame: ApplicationFrame
    }

    package var name: String
    /// The rows of the crash matrix that it stands for.
    package var rows: [Int]
    /// The executable's name; several crashes may be ways of one program.
    package var program: String
    package var language: String
    /// Build, thread and standard library, such as `release`, `main`, `dynamic`.
    package var configuration: [String]
    package var linked: Bool
    package var arguments: [String]
    package var environment: [String: String]
    /// The command that runs the program, empty where nothing does.
    package var wrapper: [String]
    /// The signal that ends it, or that the record names where it ends with an exit status.
    package var signal: String?
    package var exitStatus: Int32?
    package var code: String?
    package var exception: String?
    package var fault: String?
    package var access: String?
    /// Who sent the signal, `itself` or `other`, where the record has to tell it.
    package var sender: String?
    package var recognised: String?
    package var message: String?
    package var messageSource: String?
    package var records: Int
    /// How many innermost frames are compared; nil: all.
    package var depth: Int?
    /// The declared physical frames where gdb is no truth.
    package var physical: [String]?
    /// The awaiting callers of the crashed task, innermost first.
    package var asyncCallers: [String]
    /// What the report has to say that it lacks.
    package var loss: [String]
    /// Other threads that the report must have.
    package var beside: [OtherThread]
    package var frames: [ApplicationFrame]
    /// All of the program's own frames from the crash to main, where every one is declared.
    package var levels: [ApplicationFrame]

    private enum CodingKeys: String, CodingKey {
        case name, rows, program, language, configuration, linked, arguments, environment, wrapper, signal
        case exitStatus = "exit_status"
        case code, exception, fault, access, sender, recognised, message
        case messageSource = "message_source"
        case records, depth, physical
        case asyncCallers = "async"
        case loss, beside, frames, levels
    }

    package var description: String { name }
    package var executable: String { BuildProducts.crasher(program) }
    package var isDefaultConfiguration: Bool { configuration == ["release", "main", "dynamic"] }

    /// Containers may not let a wrapper do what it is for: then it runs nothing, and the crash is left out, loudly.
    private var canRun: Bool {
        guard !wrapper.isEmpty else { return true }
        let probe = try? ChildProcess.run(
            wrapper[0], wrapper.dropFirst() + ["true"], directory: BuildProducts.root)
        if probe?.status == .exited(0) { return true }
        let text = "crasher \(name) is left out: `\(wrapper.joined(separator: " "))` cannot run here\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        return false
    }

    /// Those that leave a record.
    package static let reported = all.filter { $0.records > 0 }

    /// Every declared crash; empty, and then a test of its own fails, when they are not built.
    package static let all: [Crasher] = {
        guard let data = try? Data(contentsOf: URL(filePath: BuildProducts.crasher("crashers.json"))) else { return [] }
        let declared = ((try? JSONDecoder().decode([Crasher].self, from: data)) ?? []).filter(\.canRun)
        // While a crash is being declared, the variable names what its name contains.
        guard let chosen = ProcessInfo.processInfo.environment["VAKA_CRASHERS"] else { return declared }
        return declared.filter { $0.name.contains(chosen) }
    }()
}
