// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A folder of a test's own, removed with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((parent + "/vaka-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ChildProcess.Failure(
                description: "cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Names of the entries, sorted; empty when the folder is missing.
    package func entries(_ subfolder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + subfolder)) ?? []).sorted()
    }
}
