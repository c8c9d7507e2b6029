// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// One file of the journal. All of it is written when it is made: to sync a frame is to sync its bytes, and nothing about
/// where they lie. It is used again and again, each time under a new number.
///
/// Not checked by the compiler: one thread writes, and what others look at is changed under the lock of `SpoolJournal`.
final class JournalSegment: @unchecked Sendable {
    let path: String
    let size: Int
    /// The number is 0 where it holds nothing.
    private(set) var identity: JournalFrame.Segment
    /// Behind the last frame that is known to be on the disk.
    private(set) var end = JournalFrame.segmentHead
    /// False when writing failed: nobody knows what is in it behind `end`.
    private(set) var isSound = true
    /// False of one that a process before has written, in which the end is looked for.
    private(set) var knowsEnd = false
    private let descriptor: Int32

    private init(path: String, descriptor: Int32, size: Int) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
        identity = JournalFrame.Segment(number: 0, salt: 0)
    }

    var number: UInt64 { identity.number }

    deinit { close(descriptor) }

    /// A new file of zeroes, synced; of so many bytes at least.
    static func make(_ path: String, bytes wanted: Int) throws(StoreError) -> JournalSegment {
        let piece = 1 << 20
        let bytes = (wanted + piece - 1) / piece * piece
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make", path) }
        let segment = JournalSegment(path: path, descriptor: descriptor, size: bytes)
        do throws(StoreError) {
            try segment.fill(bytes, piece)
            guard fsync(descriptor) == 0 else { throw failure("sync", path) }
        } catch {
            unlink(path)
            throw error
        }
        return segment
    }

    /// With zeroes, past the system's cache where the file system can do that: nobody reads them.
    private func fill(_ bytes: Int, _ piece: Int) throws(StoreError) {
        let zeroes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { zeroes.deallocate() }
        zeroes.initializeMemory(as: UInt8.self, repeating: 0)
        let flags = fcntl(descriptor, F_GETFL)
        var isDirect = fcntl(descriptor, F_SETFL, flags | Self.direct) == 0
        defer { if isDirect { _ = fcntl(descriptor, F_SETFL, flags) } }
        var done = 0
        while done < bytes {
            let put = pwrite(descriptor, zeroes.baseAddress, piece - done % piece, off_t(done))
            if put > 0 {
                done += put
            } else if isDirect, put < 0, errno == EINVAL {
                isDirect = fcntl(descriptor, F_SETFL, flags) != 0
                guard !isDirect else { throw Self.failure("write", path) }
            } else if put == 0 || errno != EINTR {
                throw Self.failure("write", path)
            }
        }
    }

    /// O_DIRECT, which Glibc leaves out.
    #if arch(arm64)
        private static let direct: Int32 = 0o200000
    #else
        private static let direct: Int32 = 0o40000
    #endif

    /// One that is there. Whoever reads it looks for its end. Nil is a file that is no segment.
    static func open(_ path: String) throws(StoreError) -> JournalSegment? {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw failure("look at", path)
        }
        let segment = JournalSegment(path: path, descriptor: descriptor, size: Int(status.st_size))
        let head = try segment.read(0, JournalFrame.segmentHead)
        let identity = head.withUnsafeBytes { JournalFrame.segment($0) }
        guard identity != nil || head.allSatisfy({ $0 == 0 }) else { return nil }
        if let identity { segment.identity = identity }
        segment.end = max(segment.size, JournalFrame.segmentHead)
        return segment
    }

    /// What it held is settled; its new number is on the disk with the next frame.
    func begin(_ number: UInt64) throws(StoreError) {
        identity = JournalFrame.Segment(number: number, salt: .random(in: 0...UInt64.max))
        end = JournalFrame.segmentHead
        (isSound, knowsEnd) = (true, true)
        try write(JournalFrame.segmentHead(of: identity), at: 0)
    }

    var room: Int { isSound ? size - end : 0 }

    /// On the disk when this returns.
    func append(_ bytes: [UInt8]) throws(StoreError) {
        try write(bytes, at: end)
        guard fdatasync(descriptor) == 0 else { throw Self.failure("sync", path) }
    }

    /// Takes no more.
    func giveUp() { isSound = false }

    /// The bytes that were appended last may be read from now on.
    func moveEnd(by count: Int) { end += count }

    /// Fewer at the file's end.
    func read(_ offset: Int, _ count: Int) throws(StoreError) -> [UInt8] {
        var obstacle = false
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { room, done in
            while done < count {
                let got = pread(descriptor, room.baseAddress! + done, count - done, off_t(offset + done))
                if got < 0, errno == EINTR { continue }
                obstacle = got < 0
                guard got > 0 else { break }
                done += got
            }
        }
        guard !obstacle else { throw Self.failure("read", path) }
        return bytes
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let put = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
                if put < 0, errno == EINTR { continue }
                guard put > 0 else { return false }
                done += put
            }
            return true
        }
        guard isWritten else { throw Self.failure("write", path) }
    }

    static func failure(_ what: String, _ path: String) -> StoreError {
        let code: StoreError.Code =
            switch errno {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            default: .failed
            }
        return StoreError(code, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
