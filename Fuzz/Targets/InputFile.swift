// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes as a file in memory, gone with the value.
final class InputFile {
    let path: String

    init(_ bytes: [UInt8]) {
        var template = Array("/dev/shm/vaka-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        precondition(descriptor >= 0, "cannot make a file in /dev/shm")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
            precondition(count > 0, "cannot write to /dev/shm")
            written += count
        }
        close(descriptor)
    }

    deinit {
        unlink(path)
    }
}
