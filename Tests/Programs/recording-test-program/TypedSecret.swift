// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a user typed, where a program has it while it works with it: in registers and on the stack, as small strings, as words
/// and as bytes.
struct TypedSecret {
    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, UInt64, UInt64, UInt64) -> Int

    /// The system call's number (Linux's unistd.h).
    #if arch(x86_64)
        private static let tgkill = 234
    #else
        private static let tgkill = 131
    #endif

    /// At most 15 bytes: then a string has no memory of its own.
    private let text: String
    private let word: UInt64

    /// Made at run time: as a constant it would be the program's.
    init() {
        text = String(decoding: Self.bytes(14), as: UTF8.self)
        word = Self.bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        let letters = "qmboufe/".utf8.map { $0 - 1 }
        return (0..<count).map { letters[$0 % letters.count] }
    }

    /// Ends the process by SIGSEGV in `syscall`, which has its arguments in registers then.
    @inline(never)
    func crash() {
        // The copies are read afterwards, so that they are there meanwhile.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 200) { buffer in
            for (index, byte) in Self.bytes(200).enumerated() { buffer[index] = byte }
            let left = beneath(text, word, [text])
            if buffer[left % 200] == 0 { print(buffer[0], text) }
        }
    }

    @inline(never)
    private func beneath(_ text: String, _ word: UInt64, _ others: [String]) -> Int {
        var words = (word, word &+ 1, word &+ 2)
        let left = withUnsafeMutablePointer(to: &words) { pointer in
            raise(with: pointer.pointee.0) + Int(truncatingIfNeeded: pointer.pointee.2)
        }
        return left + text.utf8.count + others.count
    }

    @inline(never)
    private func raise(with word: UInt64) -> Int {
        let call = unsafeBitCast(dlsym(nil, "syscall"), to: SystemCall.self)
        // The main thread's number is the process's.
        return call(Self.tgkill, Int(getpid()), Int(getpid()), Int(SIGSEGV), word, word, word)
    }
}
