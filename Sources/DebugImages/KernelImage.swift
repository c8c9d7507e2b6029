// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import VakaModel

/// The virtual library of the kernel that runs here (vdso(7)): it is in no file, but each process has it whole, and every
/// program of this machine that crashed since it was started had the same.
enum KernelImage {
    /// More than any kernel's; the image ends with its section headers.
    private static let mostBytes: UInt64 = 1 << 20

    /// A file in memory with its bytes, under its name of this process; nil where there is none.
    static let path: String? = {
        let header = UInt(getauxval(UInt(AT_SYSINFO_EHDR)))
        guard let start = UnsafeRawPointer(bitPattern: header), let size = size(of: start) else { return nil }
        let descriptor = vaka_memory_file()
        guard descriptor >= 0 else { return nil }
        guard write(descriptor, start, size) == size else {
            close(descriptor)
            return nil
        }
        return "/proc/self/fd/\(descriptor)"
    }()

    private static func size(of start: UnsafeRawPointer) -> Int? {
        let header = start.loadUnaligned(as: Elf64_Ehdr.self)
        guard header.e_ident.4 == UInt8(ELFCLASS64) else { return nil }
        let size = header.e_shoff + UInt64(header.e_shnum) * UInt64(header.e_shentsize)
        return size < mostBytes ? Int(size) : nil
    }
}
