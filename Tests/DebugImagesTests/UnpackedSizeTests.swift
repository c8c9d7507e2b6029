// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing

/// Compressed sections that would unpack to far more than a file of that size can hold.
@Suite struct UnpackedSizeTests {
    @Test(arguments: [1 << 30, 1 << 40, .max] as [UInt64])
    func bombsAreRefusedWithoutUnpackingThem(claimed: UInt64) throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc", flags: ["-g", "-gz"],
            in: folder)
        var bytes = try Data(contentsOf: URL(filePath: program))
        let packed = try ELFFile(path: program).sections.filter(\.isCompressed)
        #expect(!packed.isEmpty)
        for section in packed {
            // ch_size of Elf64_Chdr.
            let place = Int(section.offset) + 8
            withUnsafeBytes(of: claimed.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
        }
        let path = folder.path + "/bomb"
        try bytes.write(to: URL(filePath: path))
        let error = #expect(throws: DebugImageError.self) { try ELFFile(path: path) }
        #expect(error?.code == .malformed && error?.message.contains("--decompress-debug-sections") == true)
    }
}
