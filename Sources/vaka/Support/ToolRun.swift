// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
@preconcurrency import Glibc

/// Runs an installed program with a text as its input.
enum ToolRun {
    static func isInstalled(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// What it prints. Both go through files, so that neither side waits for the other.
    static func output(_ name: String, _ arguments: [String], input: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path
        let place = folder + "/vaka-check-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let (inputPath, outputPath) = (place + ".in", place + ".out")
        defer {
            unlink(inputPath)
            unlink(outputPath)
        }
        try Data(input.utf8).write(to: URL(filePath: inputPath))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let argv: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var child: pid_t = 0
        let status = posix_spawnp(&child, name, &actions, nil, argv, environ)
        guard status == 0 else { throw CommandError("\(name) cannot be started: \(String(cString: strerror(status)))") }
        var end: Int32 = 0
        while waitpid(child, &end, 0) < 0 && errno == EINTR {}
        return String(decoding: try Data(contentsOf: URL(filePath: outputPath)), as: UTF8.self)
    }
}
