// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The crashed process's own memory. While the kernel waits for a reader of its core, it can be read at any place:
/// gigabytes of core need not come down a pipe before the program can be started again.
final class LiveMemory {
    private static let step: UInt64 = 64 << 10
    private static let page: UInt64 = 4096

    private let descriptor: Int32

    /// Nil where the process does not let itself be read.
    init?(_ process: HostProcess, probe address: UInt64) {
        descriptor = process.openMemory()
        var byte: UInt8 = 0
        guard descriptor >= 0, let place = Int(exactly: address), pread(descriptor, &byte, 1, place) == 1 else {
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Hands over what there is of a range; pages that cannot be read are left out. False where the process is gone.
    func read(_ range: Range<UInt64>, _ body: (UInt64, ArraySlice<UInt8>) -> Void) -> Bool {
        var buffer = [UInt8](repeating: 0, count: Int(Self.step))
        var address = range.lowerBound
        while address < range.upperBound, let place = Int(exactly: address) {
            let got = pread(descriptor, &buffer, Int(min(Self.step, range.upperBound - address)), place)
            if got > 0 {
                body(address, buffer[..<got])
                address += UInt64(got)
            } else if got < 0, errno == EIO || errno == EFAULT {
                address = (address & ~(Self.page - 1)) + Self.page
            } else if got == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }
}
