// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Glibc

/// Standard output, buffered by stdio; a failed write (a full disk, a closed pipe) is an error, not silence.
enum StandardOutput {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, stdout) }
    }

    static func write(_ bytes: [UInt8]) {
        _ = fwrite(bytes, 1, bytes.count, stdout)
    }

    static func flush() throws {
        let failed = fflush(stdout) != 0 || ferror(stdout) != 0
        if failed, errno != EPIPE {
            throw CommandError("standard output could not be written: \(String(cString: strerror(errno)))")
        }
    }
}
