// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Says which file is being read at the moment, in memory that another process shares: should this one die over a
/// crafted file, the other knows which it was.
///
/// Any thread; of several that read files at once, the last to begin is told.
package final class ImageActivity: @unchecked Sendable {
    // The memory is written under the lock; the other process reads it when this one is no more.

    /// Bytes of the shared memory.
    package static let size = 8192
    private static let longestPath = size - 8

    private let memory: UnsafeMutableRawPointer
    private let last = Mutex("")
    private let onChange: @Sendable (String) -> Void

    /// Memory to be shared with processes that are forked from this one.
    ///
    /// - Parameter onChange: called before a file is read that is not the one before.
    package init?(onChange: @escaping @Sendable (String) -> Void = { _ in }) {
        let mapped = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        memory = mapped
        self.onChange = onChange
    }

    /// Memory behind a descriptor that several processes have; of at least `size` bytes.
    package init?(descriptor: Int32) {
        let mapped = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        memory = mapped
        onChange = { _ in }
    }

    deinit {
        munmap(memory, Self.size)
    }

    /// This file is read from now on. Costs next to nothing when it was the last one, too.
    package func reads(_ path: String) {
        last.withLock { last in
            guard path != last else { return }
            onChange(path)
            last = path
            write(path)
        }
    }

    /// No file is read from now on.
    package func rests() {
        last.withLock { last in
            guard !last.isEmpty else { return }
            last = ""
            write("")
        }
    }

    /// The file that was being read when last heard of, by this process or another; nil when none was.
    package var current: String? {
        let length = Int(memory.load(as: UInt32.self))
        guard length > 0, length <= Self.longestPath else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: memory + 8, count: length), as: UTF8.self)
    }

    private func write(_ path: String) {
        var path = path
        memory.storeBytes(of: 0, as: UInt32.self)
        path.withUTF8 { text in
            guard let base = text.baseAddress, text.count <= Self.longestPath else { return }
            (memory + 8).copyMemory(from: base, byteCount: text.count)
            memory.storeBytes(of: UInt32(text.count), as: UInt32.self)
        }
    }
}
