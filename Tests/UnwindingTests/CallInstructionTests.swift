// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

@testable import Unwinding

@Suite struct CallInstructionTests {
    private func precedes(_ code: [UInt8], _ architecture: Architecture) -> Bool? {
        let start: UInt64 = 0x1000
        let padded = Array(repeating: UInt8(0x90), count: 16) + code
        let memory = CapturedMemory(
            regions: [MemoryRegion(address: HexAddress(start), data: Data(padded))],
            images: ImageMap([], locate: { _ in ImageFiles() }))
        return CallInstruction.precedes(start + UInt64(padded.count), memory: memory, architecture: architecture)
    }

    @Test(
        arguments: [
            [0xe8, 1, 2, 3, 4],  // call rel32
            [0xff, 0xd0],  // call *%rax
            [0x41, 0xff, 0xd4],  // call *%r12
            [0xff, 0x10],  // call *(%rax)
            [0xff, 0x50, 0x18],  // call *0x18(%rax)
            [0xff, 0x90, 0, 1, 0, 0],  // call *0x100(%rax)
            [0xff, 0x14, 0xc5, 0, 0, 0, 1],  // call *0x1000000(,%rax,8)
            [0xff, 0x54, 0x24, 8],  // call *8(%rsp)
            [0xff, 0x15, 0, 0, 0, 0],  // call *0(%rip)
        ] as [[UInt8]])
    func callsOnX86(code: [UInt8]) {
        #expect(precedes(code, .x86_64) == true)
    }

    @Test(arguments: [[0x90], [0xff, 0xe0], [0xff, 0x25, 0, 0, 0, 0], [0xc3]] as [[UInt8]])
    func noCallsOnX86(code: [UInt8]) {
        #expect(precedes(code, .x86_64) == false)
    }

    @Test(arguments: [0x9400_0010, 0xd63f_0100, 0xd73f_0a1f, 0x1400_0010, 0xd503_201f] as [UInt32])
    func onArm(word: UInt32) {
        let code = withUnsafeBytes(of: word.littleEndian) { Array($0) }
        #expect(precedes(code, .arm64) == [0x9400_0010, 0xd63f_0100, 0xd73f_0a1f].contains(word))
    }

    @Test func unknownCodeIsSaidToBe() {
        let memory = CapturedMemory(regions: [], images: ImageMap([], locate: { _ in ImageFiles() }))
        #expect(CallInstruction.precedes(0x1000, memory: memory, architecture: .x86_64) == nil)
        #expect(CallInstruction.precedes(3, memory: memory, architecture: .arm64) == nil)
    }
}
