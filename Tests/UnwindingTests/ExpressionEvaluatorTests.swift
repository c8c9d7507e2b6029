// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials
import Testing
import VakaModel

@testable import Unwinding

@Suite struct ExpressionEvaluatorTests {
    private func operation(_ atom: Int, _ number: UInt64 = 0, _ number2: UInt64 = 0, at offset: UInt64 = 0) -> Dwarf_Op
    {
        Dwarf_Op(atom: UInt8(atom), number: number, number2: number2, offset: offset)
    }

    private func evaluator() -> ExpressionEvaluator {
        var registers = Registers(architecture: .x86_64)
        registers.stackPointer = 0x7000
        let data = withUnsafeBytes(of: UInt64(0x1122_3344_5566_7788)) { Data($0) }
        let memory = CapturedMemory(
            regions: [MemoryRegion(address: HexAddress(0x7010), data: data)],
            images: ImageMap([], locate: { _ in ImageFiles() }))
        return ExpressionEvaluator(registers: registers, memory: memory, canonicalFrameAddress: 0x7018)
    }

    private func number(_ operations: [Dwarf_Op]) throws -> UInt64 {
        var evaluator = evaluator()
        return try operations.withUnsafeBufferPointer { try evaluator.number($0) }
    }

    @Test func registersAndMemory() throws {
        var evaluator = evaluator()
        let place = [operation(Int(DW_OP_call_frame_cfa)), operation(Int(DW_OP_plus_uconst), 0 &- 8)]
        #expect(try place.withUnsafeBufferPointer { try evaluator.registerValue($0) } == 0x1122_3344_5566_7788)
        let value = [operation(Int(DW_OP_breg7), 0x20), operation(Int(DW_OP_stack_value))]
        #expect(try value.withUnsafeBufferPointer { try evaluator.registerValue($0) } == 0x7020)
        #expect(try number([operation(Int(DW_OP_breg7), 0x10), operation(Int(DW_OP_deref_size), 2)]) == 0x7788)
        #expect(try number([operation(Int(DW_OP_bregx), 7, 0 &- 0x10)]) == 0x6ff0)
    }

    @Test func arithmeticWrapsAndNeverTraps() throws {
        let top = UInt64.max
        let minimum = UInt64(1) << 63
        for atom in [DW_OP_plus, DW_OP_minus, DW_OP_mul, DW_OP_div, DW_OP_mod, DW_OP_shl, DW_OP_shr, DW_OP_shra] {
            for (left, right) in [(top, top), (minimum, top), (0, top), (top, 1), (minimum, minimum), (1, 64)] {
                _ = try number([
                    operation(Int(DW_OP_const8u), left), operation(Int(DW_OP_const8u), right), operation(Int(atom)),
                ])
            }
        }
        #expect(
            try number([
                operation(Int(DW_OP_const8s), 0 &- 8), operation(Int(DW_OP_lit3)), operation(Int(DW_OP_shra)),
            ]) == top)
    }

    @Test func stackOperations() throws {
        let three = [operation(Int(DW_OP_lit1)), operation(Int(DW_OP_lit2)), operation(Int(DW_OP_lit3))]
        // 1 2 3 rotates to 3 1 2.
        #expect(try number(three + [operation(Int(DW_OP_rot))]) == 2)
        #expect(try number(three + [operation(Int(DW_OP_rot)), operation(Int(DW_OP_drop))]) == 1)
        #expect(try number(three + [operation(Int(DW_OP_swap))]) == 2)
        #expect(try number(three + [operation(Int(DW_OP_over))]) == 2)
        #expect(try number(three + [operation(Int(DW_OP_pick), 2)]) == 1)
    }

    @Test func branchesAreBounded() throws {
        // lit1; bra +1 over lit5; lit7
        let forward = [
            operation(Int(DW_OP_lit1), at: 0), operation(Int(DW_OP_bra), 1, at: 1), operation(Int(DW_OP_lit5), at: 4),
            operation(Int(DW_OP_lit7), at: 5),
        ]
        #expect(try number(forward) == 7)
        let endless = [operation(Int(DW_OP_nop), at: 0), operation(Int(DW_OP_skip), UInt64(bitPattern: -4), at: 1)]
        #expect(throws: ExpressionEvaluator.Failure.self) { try number(endless) }
        let growing = [operation(Int(DW_OP_lit0), at: 0), operation(Int(DW_OP_skip), UInt64(bitPattern: -4), at: 1)]
        #expect(throws: ExpressionEvaluator.Failure.self) { try number(growing) }
    }

    @Test(
        arguments: [
            [DW_OP_plus], [DW_OP_lit1, DW_OP_lit0, DW_OP_div], [DW_OP_lit1, DW_OP_lit0, DW_OP_mod], [DW_OP_deref],
            [DW_OP_lit0, DW_OP_deref], [DW_OP_breg3], [DW_OP_fbreg], [DW_OP_swap], [DW_OP_deref_size],
        ].map { $0.map { Int($0) } })
    func nonsenseFails(atoms: [Int]) {
        #expect(throws: ExpressionEvaluator.Failure.self) { try number(atoms.map { operation($0) }) }
    }
}
