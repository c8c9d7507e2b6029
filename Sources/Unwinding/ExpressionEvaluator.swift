// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// Evaluates the DWARF expressions of call frame information (DWARF 5, section 2.5), bounded in steps and stack.
struct ExpressionEvaluator {
    /// Why an expression has no value.
    enum Failure: Error {
        /// Memory that it reads is not known.
        case unreadable(UInt64)
        /// It is no sensible expression, or needs a register that is not known.
        case invalid
    }

    private static let maximumSteps = 1000
    private static let maximumDepth = 64

    let registers: Registers
    let memory: CapturedMemory
    /// Nil while it is this that is being worked out.
    var canonicalFrameAddress: UInt64?
    var loadBias: UInt64 = 0

    private var stack: [UInt64] = []
    private var isValue = false

    init(registers: Registers, memory: CapturedMemory, canonicalFrameAddress: UInt64? = nil, loadBias: UInt64 = 0) {
        self.registers = registers
        self.memory = memory
        self.canonicalFrameAddress = canonicalFrameAddress
        self.loadBias = loadBias
    }

    /// The number that the expression comes to, as it is needed for a canonical frame address.
    mutating func number(_ operations: UnsafeBufferPointer<Dwarf_Op>) throws(Failure) -> UInt64 {
        try run(operations)
        guard let top = stack.last else { throw .invalid }
        return top
    }

    /// The value of a register: what lies at the place that the expression comes to, or that itself if it says so.
    mutating func registerValue(_ operations: UnsafeBufferPointer<Dwarf_Op>) throws(Failure) -> UInt64 {
        let top = try number(operations)
        return isValue ? top : try load(top, 8)
    }

    private mutating func run(_ operations: UnsafeBufferPointer<Dwarf_Op>) throws(Failure) {
        stack = []
        isValue = false
        var index = 0
        for _ in 0..<Self.maximumSteps {
            guard index < operations.count else { return }
            let operation = operations[index]
            index += 1
            switch Int(operation.atom) {
            case Int(DW_OP_skip):
                index = try target(of: operation, in: operations)
            case Int(DW_OP_bra):
                if try pop() != 0 { index = try target(of: operation, in: operations) }
            default:
                try perform(operation)
            }
            guard stack.count <= Self.maximumDepth else { throw .invalid }
        }
        throw .invalid
    }

    /// The index of the operation that a branch leads to.
    private func target(
        of operation: Dwarf_Op, in operations: UnsafeBufferPointer<Dwarf_Op>
    ) throws(Failure) -> Int {
        let distance = Int64(Int16(truncatingIfNeeded: operation.number))
        let offset = operation.offset &+ 3 &+ UInt64(bitPattern: distance)
        guard let index = operations.firstIndex(where: { $0.offset == offset }) else { throw .invalid }
        return index
    }

    private mutating func perform(_ operation: Dwarf_Op) throws(Failure) {
        let atom = Int(operation.atom)
        switch atom {
        case Int(DW_OP_lit0)...Int(DW_OP_lit31): stack.append(UInt64(atom - Int(DW_OP_lit0)))
        case Int(DW_OP_breg0)...Int(DW_OP_breg31):
            stack.append(try register(UInt64(atom - Int(DW_OP_breg0))) &+ operation.number)
        case Int(DW_OP_bregx): stack.append(try register(operation.number) &+ operation.number2)
        case Int(DW_OP_reg0)...Int(DW_OP_reg31):
            stack.append(try register(UInt64(atom - Int(DW_OP_reg0))))
            isValue = true
        case Int(DW_OP_regx):
            stack.append(try register(operation.number))
            isValue = true
        case Int(DW_OP_addr): stack.append(operation.number &+ loadBias)
        case Int(DW_OP_const1u)...Int(DW_OP_consts): stack.append(operation.number)
        case Int(DW_OP_call_frame_cfa):
            guard let canonicalFrameAddress else { throw .invalid }
            stack.append(canonicalFrameAddress)
        case Int(DW_OP_stack_value): isValue = true
        case Int(DW_OP_nop): break
        case Int(DW_OP_deref): stack.append(try load(try pop(), 8))
        case Int(DW_OP_deref_size):
            guard (1...8).contains(operation.number) else { throw .invalid }
            stack.append(try load(try pop(), Int(operation.number)))
        case Int(DW_OP_dup)...Int(DW_OP_rot): try rearrange(operation)
        default: try compute(operation)
        }
    }

    private mutating func rearrange(_ operation: Dwarf_Op) throws(Failure) {
        switch Int(operation.atom) {
        case Int(DW_OP_dup): stack.append(try peek(0))
        case Int(DW_OP_over): stack.append(try peek(1))
        case Int(DW_OP_pick): stack.append(try peek(operation.number))
        case Int(DW_OP_drop): _ = try pop()
        case Int(DW_OP_swap):
            let (first, second) = (try pop(), try pop())
            stack += [first, second]
        case Int(DW_OP_rot):
            let (first, second, third) = (try pop(), try pop(), try pop())
            stack += [first, third, second]
        default: throw .invalid
        }
    }

    private mutating func compute(_ operation: Dwarf_Op) throws(Failure) {
        let right = try pop()
        switch Int(operation.atom) {
        case Int(DW_OP_neg): stack.append(0 &- right)
        case Int(DW_OP_not): stack.append(~right)
        case Int(DW_OP_abs): stack.append(Int64(bitPattern: right).magnitude)
        case Int(DW_OP_plus_uconst): stack.append(right &+ operation.number)
        default: stack.append(try Self.combine(Int(operation.atom), try pop(), right))
        }
    }

    private static func combine(_ atom: Int, _ left: UInt64, _ right: UInt64) throws(Failure) -> UInt64 {
        let (signedLeft, signedRight) = (Int64(bitPattern: left), Int64(bitPattern: right))
        switch atom {
        case Int(DW_OP_plus): return left &+ right
        case Int(DW_OP_minus): return left &- right
        case Int(DW_OP_mul): return left &* right
        case Int(DW_OP_and): return left & right
        case Int(DW_OP_or): return left | right
        case Int(DW_OP_xor): return left ^ right
        case Int(DW_OP_shl): return left << right
        case Int(DW_OP_shr): return left >> right
        case Int(DW_OP_shra): return UInt64(bitPattern: signedLeft >> min(right, 63))
        case Int(DW_OP_div):
            guard right != 0 else { throw .invalid }
            return UInt64(bitPattern: signedLeft.dividedReportingOverflow(by: signedRight).partialValue)
        case Int(DW_OP_mod):
            guard right != 0 else { throw .invalid }
            return left % right
        case Int(DW_OP_eq): return left == right ? 1 : 0
        case Int(DW_OP_ne): return left != right ? 1 : 0
        case Int(DW_OP_lt): return signedLeft < signedRight ? 1 : 0
        case Int(DW_OP_le): return signedLeft <= signedRight ? 1 : 0
        case Int(DW_OP_gt): return signedLeft > signedRight ? 1 : 0
        case Int(DW_OP_ge): return signedLeft >= signedRight ? 1 : 0
        default: throw .invalid
        }
    }

    private func register(_ number: UInt64) throws(Failure) -> UInt64 {
        guard let index = Int(exactly: number), let value = registers[index] else { throw .invalid }
        return value
    }

    private func load(_ address: UInt64, _ count: Int) throws(Failure) -> UInt64 {
        guard let value = memory.read(address, count: count) else { throw .unreadable(address) }
        return value
    }

    private func peek(_ depth: UInt64) throws(Failure) -> UInt64 {
        guard depth < UInt64(stack.count) else { throw .invalid }
        return stack[stack.count - 1 - Int(depth)]
    }

    private mutating func pop() throws(Failure) -> UInt64 {
        guard let value = stack.popLast() else { throw .invalid }
        return value
    }
}
