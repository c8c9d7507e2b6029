// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Where the build put what the tests run.
package enum BuildProducts {
    /// The checkout.
    package static let root: String = String(#filePath.dropLast("/Tests/TestSupport/BuildProducts.swift".count))

    /// An executable of this package, beside the running test bundle.
    package static func executable(_ name: String) -> String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let candidates = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [bundle]
        for candidate in candidates {
            let path = URL(filePath: candidate).deletingLastPathComponent().path + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        return root + "/.build/debug/" + name
    }

    /// A program of crashers/, built by `make crashers`.
    package static func crasher(_ name: String) -> String { root + "/build/crashers/" + name }

    /// The capture core for C programs, built by `make libvakacrash`.
    package static let preloadLibrary = root + "/build/lib/libvakacrash.so"
}
