// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import VakaModel

/// A real mail server (Tests/Support/mail_server.py).
final class MailServer {
    private let folder: TemporaryFolder
    private let process: ChildProcess
    let port: Int

    init() throws {
        folder = try TemporaryFolder()
        // Debian's, whose packages it uses.
        process = try ChildProcess(
            "/usr/bin/python3", [BuildProducts.root + "/Tests/Support/mail_server.py", folder.path])
        try process.waitForOutput("\n")
        port = Int(process.outputSoFar.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0
    }

    deinit {
        process.kill(SIGKILL)
        _ = try? process.wait(seconds: 10)
    }

    func mails() throws -> [JSONValue] {
        try folder.entries("").filter { $0.hasSuffix(".json") }.sorted().map { name in
            try ModelCoding.decode(JSONValue.self, from: Data(contentsOf: URL(filePath: folder.path + "/" + name)))
        }
    }
}
