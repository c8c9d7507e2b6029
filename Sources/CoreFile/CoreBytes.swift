// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes of a core file, mapped for reading; every read is checked against its end. Not thread-safe to unmap.
final class CoreBytes {
    private let base: UnsafeRawBufferPointer

    init(path: String) throws(CoreFileError) {
        func unreadable() -> CoreFileError {
            CoreFileError(code: .unreadable, message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable() }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw CoreFileError(code: .notACore, message: "\(path): no core file: it is empty or no regular file")
        }
        let size = Int(status.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw unreadable()
        }
        base = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: base.baseAddress), base.count)
    }

    var count: Int { base.count }

    /// The part of `offset ..< offset + count` that the file has; nil where none of it is there.
    func slice(_ offset: UInt64, _ count: UInt64) -> UnsafeRawBufferPointer? {
        guard offset < UInt64(base.count) else { return nil }
        let length = min(count, UInt64(base.count) - offset)
        return UnsafeRawBufferPointer(rebasing: base[Int(offset)..<Int(offset + length)])
    }

    func value<Value: BitwiseCopyable>(_ type: Value.Type, at offset: UInt64) -> Value? {
        guard let bytes = slice(offset, UInt64(MemoryLayout<Value>.size)) else { return nil }
        return bytes.value(type, at: 0)
    }
}

extension UnsafeRawBufferPointer {
    /// Nil past the end.
    func value<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value? {
        guard offset >= 0, count >= MemoryLayout<Value>.size, offset <= count - MemoryLayout<Value>.size else {
            return nil
        }
        return loadUnaligned(fromByteOffset: offset, as: type)
    }
}
