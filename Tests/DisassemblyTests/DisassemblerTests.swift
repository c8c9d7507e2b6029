// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Disassembly

struct DisassemblerTests {
    /// push rbp; mov rbp, rsp; xor eax, eax; mov dword ptr [rax], 1; call +0; pop rbp; ret
    private static let code: [UInt8] = [
        0x55, 0x48, 0x89, 0xe5, 0x31, 0xc0, 0xc7, 0x00, 1, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x5d, 0xc3,
    ]

    @Test func `instructions of x86-64 are text, with their bytes and where they lead`() throws {
        let all = try #require(Disassembler(arch: "x86_64")).instructions(Self.code, at: 0x1000)
        #expect(all.map(\.text).prefix(4) == ["push rbp", "mov rbp, rsp", "xor eax, eax", "mov dword ptr [rax], 1"])
        #expect(all.flatMap(\.bytes) == Self.code)
        #expect(all[4].text == "call 0x1011" && all[4].target == HexAddress(0x1011))
        #expect(all.filter { $0.target != nil }.count == 1)
        #expect(all.last?.text == "ret" && all.last?.address == HexAddress(0x1012))
    }

    @Test func `instructions of arm64, too`() throws {
        // mov x29, sp; str wzr, [x0]; bl +8; ret
        let code: [UInt8] = [
            0xfd, 0x03, 0x00, 0x91, 0x1f, 0x00, 0x00, 0xb9, 0x02, 0x00, 0x00, 0x94, 0xc0, 0x03, 0x5f, 0xd6,
        ]
        let around = try #require(Disassembler(arch: "arm64"))
            .instructions(around: 8, of: code, at: 0x2008, before: 8, after: 1)
        #expect(around.map(\.text) == ["mov x29, sp", "str wzr, [x0]", "bl #0x2010", "ret"])
        #expect(around[2].target == HexAddress(0x2010))
    }

    @Test func `what stands before an instruction is found, as many as are asked for`() throws {
        let disassembler = try #require(Disassembler(arch: "x86_64"))
        func around(_ before: Int, _ after: Int) -> [String] {
            disassembler.instructions(around: 6, of: Self.code, at: 0x1006, before: before, after: after).map(\.text)
        }
        #expect(around(9, 1) == ["push rbp", "mov rbp, rsp", "xor eax, eax", "mov dword ptr [rax], 1", "call 0x1011"])
        #expect(around(1, 0) == ["xor eax, eax", "mov dword ptr [rax], 1"])
        #expect(disassembler.instructions(around: 19, of: Self.code, at: 0x1013, before: 1, after: 1).isEmpty)
        #expect(disassembler.instructions(around: 0, of: [0x06], at: 0x1000, before: 1, after: 1).isEmpty, "no code")
    }

    @Test func `other architectures are not decoded`() {
        #expect(Disassembler(arch: "riscv64") == nil)
    }

    /// Whatever the bytes are: what is told lies within them, one after the other.
    @Test(arguments: Event.architectures) func `any bytes are decoded within their bounds`(arch: String) throws {
        let disassembler = try #require(Disassembler(arch: arch))
        var random = SeededRandom(seed: 7)
        for round in 0..<2000 {
            var bytes = (0..<Int.random(in: 1...96, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if round % 2 == 0 {
                bytes = Self.code.map { Int.random(in: 0...9, using: &random) == 0 ? ~$0 : $0 } + bytes
            }
            let position = Int.random(in: 0..<bytes.count, using: &random)
            let start = round % 7 == 0 ? UInt64.max - 8 : UInt64.random(in: 0...(.max), using: &random)
            let all = disassembler.instructions(
                around: position, of: bytes, at: start &+ UInt64(position), before: 10, after: 20)
            #expect(all.count <= 31)
            for one in all {
                let offset = Int(truncatingIfNeeded: one.address.rawValue &- start)
                #expect(!one.bytes.isEmpty && offset >= 0 && offset + one.bytes.count <= bytes.count)
                if offset >= 0, offset + one.bytes.count <= bytes.count {
                    #expect(Array(bytes[offset..<offset + one.bytes.count]) == one.bytes)
                }
            }
            for (one, next) in zip(all, all.dropFirst()) {
                #expect(one.address.rawValue &+ UInt64(one.bytes.count) == next.address.rawValue)
            }
        }
        let large = [UInt8](repeating: 0x90, count: 3 * Disassembler.mostBytes)
        #expect(disassembler.instructions(large, at: 0).count <= Disassembler.mostBytes)
    }
}
