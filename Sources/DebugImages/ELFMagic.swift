// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Tells an ELF file from what people mistake for one.
enum ELFMagic {
    private static let others: [(magic: [UInt8], is: String)] = [
        (Array("#!".utf8), "a script; name the program it starts"),
        (Array("!<arch>\n".utf8), "a static library; name the program it was linked into"),
        (Array("!<thin>\n".utf8), "a static library; name the program it was linked into"),
        (Array("MZ".utf8), "a Windows program; only ELF files are read"),
        ([0xCF, 0xFA, 0xED, 0xFE], "a Mach-O file; only ELF files are read"),
        ([0xCA, 0xFE, 0xBA, 0xBE], "a universal Mach-O file or a Java class; only ELF files are read"),
        ([0x1F, 0x8B], "a gzip file; unpack it first"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file; unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file; unpack it first"),
        (Array("BZh".utf8), "a bzip2 file; unpack it first"),
        (Array("PK\u{3}\u{4}".utf8), "a zip archive; unpack it first"),
        (Array("BC".utf8) + [0xC0, 0xDE], "LLVM bitcode; link it first"),
        (Array("!<debian".utf8), "a Debian package; unpack it with dpkg-deb -x"),
        (Array("MDMP".utf8), "a minidump; only ELF files are read"),
        (Array("\0asm".utf8), "a WebAssembly module; only ELF files are read"),
    ]

    /// Throws unless the file begins as ELF and is long enough for its header.
    static func check(descriptor: Int32, size: UInt64, path: String) throws(DebugImageError) {
        var start = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &start, start.count, 0)
        guard count >= 0 else {
            throw DebugImageError(.unreadable, path: path, "cannot be read: \(String(cString: strerror(errno)))")
        }
        start.removeLast(start.count - count)
        guard start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else {
            throw DebugImageError(.notELF, path: path, "is no ELF file but \(describe(start))")
        }
        let is64Bit = start.count > 4 && start[4] == 2
        guard start.count >= (is64Bit ? 64 : 52) else {
            throw DebugImageError(
                .truncated, path: path,
                "ends inside the ELF header, after \(size) bytes; copy or upload it again, whole")
        }
    }

    static func describe(_ start: [UInt8]) -> String {
        if start.isEmpty { return "an empty file" }
        if let known = others.first(where: { start.starts(with: $0.magic) }) { return known.is }
        let isText = start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }
        return isText ? "text; name a program, a library or a .debug file" : "something unknown; name an ELF file"
    }
}
