// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc

/// What gdb sees of a crash, by crashers/gdb-truth.py.
package struct GdbTruth: Decodable, Sendable {
    /// A physical frame.
    package struct Frame: Decodable, Sendable {
        package var address: UInt64
        package var module: String?
        package var relative: UInt64
        package var name: String?
    }

    package struct Image: Decodable, Sendable {
        package var path: String
        package var address: UInt64
        package var size: UInt64
    }

    package struct Memory: Decodable, Sendable {
        package var address: UInt64
        package var data: Data
    }

    package var thread: Int
    package var registers: [String: UInt64]
    package var stack: Memory
    /// The chain of Swift async contexts that the context register leads to.
    package var contexts: [Memory]
    package var images: [Image]
    package var frames: [Frame]

    private static let script = BuildProducts.root + "/crashers/gdb-truth.py"

    /// Runs gdb, or takes what it said of the same build of the same program before. With `preload` the program runs
    /// under the capture core, which may have frames of its own where threads start.
    package static func of(_ crasher: Crasher, preload: Bool = false) throws -> GdbTruth {
        let folder = BuildProducts.root + "/build/gdb-truth"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = preload && !crasher.linked ? BuildProducts.preloadLibrary : nil
        let stamps = try ([crasher.executable, script] + [library].compactMap { $0 }).map(stamp)
        let path = "\(folder)/\(([crasher.name] + stamps).joined(separator: "-")).json"
        if !FileManager.default.fileExists(atPath: path) {
            // Tests may ask at once: each writes a file of its own, and the last one's stays.
            let storage = try TemporaryFolder()
            let own = path + "." + storage.path.split(separator: "/", omittingEmptySubsequences: true).joined()
            let result = try ChildProcess.run(
                "gdb", ["-batch", "-nx", "-x", script, "--args", crasher.executable] + crasher.arguments,
                environment: [
                    "VAKA_TRUTH": own, "VAKA_TRUTH_PRELOAD": library, "VAKA_STORAGE": storage.path,
                ].merging(crasher.environment) { own, _ in own },
                seconds: 120)
            guard rename(own, path) == 0 else {
                throw ChildProcess.Failure(description: "gdb wrote nothing for \(crasher):\n\(result.errors)")
            }
        }
        return try JSONDecoder().decode(GdbTruth.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Tells builds of one file apart.
    private static func stamp(_ path: String) throws -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ChildProcess.Failure(description: "\(path) is not there; build it with `make libvakacrash crashers`")
        }
        return "\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)"
    }
}
