// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A folder for what is made on the way, gone when the work is done.
final class TemporaryWork {
    let path: String

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/vaka-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError("no temporary folder in \(base): \(String(cString: strerror(errno))); set TMPDIR")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? Self.remove(path)
    }

    static func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
    }
}
