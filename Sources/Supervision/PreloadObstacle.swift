// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Why the capture library cannot be preloaded into a program.
package enum PreloadObstacle {
    /// In words; nil where nothing speaks against it.
    package static func find(_ command: String, search: String?) -> String? {
        guard let path = resolve(command, search: search) else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let privileged = status.st_mode & (S_ISUID | S_ISGID) != 0 && geteuid() != 0
        if privileged { return "the program has privileges by its file's mode: nothing is preloaded into it" }
        return isStatic(path) ? "the program is linked statically: nothing can be preloaded into it" : nil
    }

    /// As execvp(3) finds it.
    private static func resolve(_ command: String, search: String?) -> String? {
        if command.contains("/") { return command }
        let folders = (search ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        return folders.map { ($0.isEmpty ? "." : $0) + "/" + command }.first { access($0, X_OK) == 0 }
    }

    /// An ELF executable without an interpreter; false of anything else.
    private static func isStatic(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var header = Elf64_Ehdr()
        let size = MemoryLayout<Elf64_Ehdr>.size
        guard pread(file, &header, size, 0) == size, header.e_ident.0 == 0x7f, header.e_ident.1 == UInt8(ascii: "E"),
            header.e_ident.4 == UInt8(ELFCLASS64), header.e_phentsize == UInt16(MemoryLayout<Elf64_Phdr>.size)
        else { return false }
        for index in 0..<min(header.e_phnum, 256) {
            var segment = Elf64_Phdr()
            let offset = off_t(truncatingIfNeeded: header.e_phoff) + off_t(index) * off_t(header.e_phentsize)
            guard pread(file, &segment, MemoryLayout<Elf64_Phdr>.size, offset) == MemoryLayout<Elf64_Phdr>.size else {
                return false
            }
            if segment.p_type == UInt32(PT_INTERP) { return false }
        }
        return header.e_phnum > 0
    }
}
