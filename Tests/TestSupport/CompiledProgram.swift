// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Compiles small programs with the machine's own compilers.
package enum CompiledProgram {
    /// Runs a tool and throws, with what it said, unless it succeeds.
    @discardableResult
    package static func tool(_ name: String, _ arguments: [String], directory: String? = nil) throws -> String {
        let result = try ChildProcess.run(
            name, arguments, environment: ["RUSTC_BOOTSTRAP": "1"], directory: directory, seconds: 180)
        guard result.status == .exited(0) else {
            throw ChildProcess.Failure(
                description: "\(name) \(arguments.joined(separator: " ")): \(result.status)\n\(result.errors)")
        }
        return result.output
    }

    /// A program that this process wrote itself may be busy when it is to run: another test's child, forked meanwhile,
    /// still has it open for writing.
    package static func copy(_ program: String, to path: String) throws {
        try tool("cp", ["--dereference", program, path])
    }

    /// Writes `source` into `folder` as `name` with the compiler's usual extension and compiles it to `folder/name`.
    package static func build(
        _ name: String, source: String, extension ext: String, compiler: String, flags: [String],
        in folder: TemporaryFolder
    ) throws -> String {
        let file = folder.path + "/" + name + "." + ext
        let output = folder.path + "/" + name
        try Data(source.utf8).write(to: URL(filePath: file))
        try tool(compiler, flags + [file, "-o", output])
        return output
    }
}
