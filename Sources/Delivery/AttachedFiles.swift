// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
package import VakaModel

/// Files that a run named before its end, read after it.
package struct AttachedFiles: Sendable {
    private let limit: Int

    /// `limit`: bytes of one file, of which the end is kept.
    package init(limit: Int) {
        self.limit = min(max(0, limit), 8 << 20)
    }

    /// `paths` by name.
    package func attachments(of event: String, _ paths: [String: String]) -> [EventAttachment] {
        paths.sorted { $0.key < $1.key }.map { attachment(event, $0.key, $0.value) }
    }

    private func attachment(_ event: String, _ name: String, _ path: String) -> EventAttachment {
        func missing(_ why: String) -> EventAttachment {
            EventAttachment(eventID: event, name: name, size: 0, data: nil, missing: why)
        }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return missing(String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return missing("it is no file") }
        let size = Int64(status.st_size)
        let offset = max(0, size - Int64(limit))
        var data = Data(count: Int(size - offset))
        let count = data.withUnsafeMutableBytes { Self.fill($0, file, offset) }
        guard count >= 0 else { return missing("it cannot be read") }
        return EventAttachment(eventID: event, name: name, size: size, offset: offset, data: data.prefix(count))
    }

    /// How much there was; -1 where nothing can be read.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, _ file: Int32, _ offset: Int64) -> Int {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = pread(file, base + done, buffer.count - done, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            if count < 0 { return done > 0 ? done : -1 }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
