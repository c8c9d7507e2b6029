// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile
import FoundationEssentials
import TestSupport
import Testing

/// Cores that no kernel writes: their size bounds what they cost.
@Suite struct HostileCoreTests {
    private static func raw<Value: BitwiseCopyable>(_ value: Value) -> Data {
        withUnsafeBytes(of: value) { Data($0) }
    }

    /// One thread's status.
    private static var note: Data {
        let description = Data(count: 336)
        return raw(UInt32(5)) + raw(UInt32(description.count)) + raw(UInt32(NT_PRSTATUS)) + Data("CORE\0\0\0\0".utf8)
            + description
    }

    /// A core whose `headers` program headers all point to the same note.
    private static func core(headers: Int, entrySize: Int = 56) -> Data {
        var header = Elf64_Ehdr()
        withUnsafeMutableBytes(of: &header.e_ident) { $0.copyBytes(from: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]) }
        header.e_type = UInt16(ET_CORE)
        header.e_machine = UInt16(EM_X86_64)
        header.e_phoff = 64
        header.e_phentsize = UInt16(entrySize)
        header.e_phnum = UInt16(headers)
        var segment = Elf64_Phdr()
        segment.p_type = UInt32(PT_NOTE)
        segment.p_offset = UInt64(64 + 56 * headers)
        segment.p_filesz = UInt64(note.count)
        return (0..<headers).reduce(into: raw(header)) { data, _ in data += raw(segment) } + note
    }

    private static func threads(_ core: Data) throws -> Int {
        let folder = try TemporaryFolder()
        let path = folder.path + "/core"
        try core.write(to: URL(filePath: path))
        return try CoreFile(path: path).event().threads.count
    }

    @Test func oneNoteIsOneThread() throws {
        #expect(try Self.threads(Self.core(headers: 1)) == 1)
    }

    @Test func notesThatAreReadAgainAndAgainEnd() throws {
        let core = Self.core(headers: 2000)
        #expect(try Self.threads(core) <= core.count / Self.note.count)
    }

    @Test func headersWithoutASizeAreNotFollowed() throws {
        let error = #expect(throws: CoreFileError.self) { try Self.threads(Self.core(headers: 2000, entrySize: 0)) }
        #expect(error?.code == .noThreads)
    }
}
