// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CLinux
import CoreFile
import Glibc

/// An image's file made anew from the memory it was mapped to: for the vDSO, which has no file, and for files that are
/// gone while the core holds their contents.
enum MemoryImage {
    private static let mostBytes: UInt64 = 16 << 20
    private static let largestOffset: UInt64 = 1 << 30
    private static let step = 64 << 10

    /// A descriptor that the caller closes; nil where what unwinds its code was not kept.
    static func make(_ image: CoreImage, memory: any ProcessMemory) -> Int32? {
        let table = image.programHeaders.first { $0.p_type == UInt32(PT_GNU_EH_FRAME) }
        guard let table, !memory.bytes(image.loadBias &+ table.p_vaddr, 1).isEmpty,
            let header = memory.value(Elf64_Ehdr.self, at: image.image.imageAddress.rawValue)
        else { return nil }
        let file = vaka_memory_file()
        guard file >= 0 else { return nil }
        var rest = mostBytes
        for segment in image.programHeaders where segment.p_type == UInt32(PT_LOAD) {
            copy(segment, of: image, memory, to: file, &rest)
        }
        writeHeader(header, to: file)
        return file
    }

    private static func copy(
        _ segment: Elf64_Phdr, of image: CoreImage, _ memory: any ProcessMemory, to file: Int32, _ rest: inout UInt64
    ) {
        guard segment.p_offset <= largestOffset else { return }
        var done: UInt64 = 0
        while done < segment.p_filesz, rest > 0 {
            let wanted = min(UInt64(step), segment.p_filesz - done, rest)
            let bytes = memory.bytes(image.loadBias &+ segment.p_vaddr &+ done, Int(wanted))
            guard !bytes.isEmpty, pwrite(file, bytes, bytes.count, Int(segment.p_offset + done)) == bytes.count else {
                return
            }
            done += UInt64(bytes.count)
            rest -= UInt64(bytes.count)
        }
    }

    /// Section headers are not mapped.
    private static func writeHeader(_ header: Elf64_Ehdr, to file: Int32) {
        var header = header
        (header.e_shoff, header.e_shnum, header.e_shstrndx) = (0, 0, 0)
        _ = withUnsafeBytes(of: header) { pwrite(file, $0.baseAddress, $0.count, 0) }
    }
}
