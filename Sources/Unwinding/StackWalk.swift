// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The walk of one thread's stack: by call frame information, and where that cannot start or go on by the return
/// address at the top of the stack, the frame pointer, or a scan. Bounded in frames and time; never trusts what it reads.
struct StackWalk {
    /// Why a walk ended.
    enum End: Equatable {
        /// At the stack's end.
        case complete
        case frameLimit
        case timeLimit
        /// The stack goes on beyond what was captured.
        case capturedMemory
        /// The same frame came again.
        case cycle
        /// No way to find a caller.
        case lost
    }

    static let maximumFrames = 512
    private static let maximumScannedFrames = 8
    private static let maximumScannedWords: UInt64 = 2048
    /// A stack may be larger than what was captured of it, but not larger than this.
    private static let maximumStackBytes: UInt64 = 1 << 30

    /// A frame that is being left.
    private struct Cursor {
        var registers: Registers
        var programCounter: UInt64
        var stackPointer: UInt64
        /// Its program counter is where it stands, not where a call returns to.
        var isExact: Bool
        /// It stands right behind the instruction that trapped.
        var isBehindTrap = false
        var lookupAddress: UInt64 {
            (isExact && !isBehindTrap) || programCounter == 0 ? programCounter : programCounter - 1
        }
    }

    let images: ImageMap
    let memory: CapturedMemory
    let architecture: Architecture
    /// Where what was captured of the stack ends.
    let captureEnd: UInt64
    let deadline: ContinuousClock.Instant

    private(set) var frames: [Frame] = []
    /// Of each frame.
    private(set) var registers: [Registers] = []
    private(set) var end = End.lost
    /// The images without whose file the walk had to do.
    private(set) var missingImages: [DebugImage] = []
    private var scannedFrames = 0

    init(
        images: ImageMap, memory: CapturedMemory, architecture: Architecture, captureEnd: UInt64,
        deadline: ContinuousClock.Instant
    ) {
        self.images = images
        self.memory = memory
        self.architecture = architecture
        self.captureEnd = captureEnd
        self.deadline = deadline
    }

    mutating func run(from registers: Registers, isBehindTrap: Bool = false) {
        guard let programCounter = registers.programCounter, let stackPointer = registers.stackPointer else { return }
        var cursor = Cursor(
            registers: registers, programCounter: programCounter, stackPointer: stackPointer, isExact: true,
            isBehindTrap: isBehindTrap)
        append(cursor, trust: .context)
        var seen: Set<[UInt64]> = [[programCounter, stackPointer]]
        while true {
            if frames.count >= Self.maximumFrames {
                end = .frameLimit
                return
            }
            if ContinuousClock.now >= deadline {
                end = .timeLimit
                return
            }
            guard let (next, trust) = step(from: cursor) else { return }
            guard seen.insert([next.programCounter, next.stackPointer]).inserted else {
                end = .cycle
                return
            }
            append(next, trust: trust)
            cursor = next
        }
    }

    private mutating func append(_ cursor: Cursor, trust: FrameTrust) {
        let image = images.image(at: cursor.lookupAddress)?.image
        registers.append(cursor.registers)
        frames.append(
            Frame(
                instructionAddress: HexAddress(cursor.programCounter), trust: trust, module: image?.name,
                buildID: image?.buildID,
                relativeAddress: image.map { HexAddress(cursor.programCounter &- $0.imageAddress.rawValue) },
                notes: cursor.isBehindTrap
                    ? [Frame.trapped] : cursor.isExact && !frames.isEmpty ? [Frame.interrupted] : []))
    }

    /// The caller and how it was found; nil when the walk is over, and `end` says why.
    private mutating func step(from cursor: Cursor) -> (Cursor, FrameTrust)? {
        switch CFIStep(images: images, memory: memory).caller(
            of: cursor.registers, lookupAddress: cursor.lookupAddress)
        {
        case .endOfStack:
            end = .complete
            return nil
        case .caller(let registers, let interrupted):
            if registers.programCounter == 0 {
                end = .complete
                return nil
            }
            if let next = accept(registers, after: cursor, interrupted: interrupted) { return (next, .cfi) }
        case .unreadable(let address):
            if liesBeyondCapture(address) {
                end = .capturedMemory
                return nil
            }
        case .noInformation:
            if let image = images.image(at: cursor.lookupAddress), image.isMissing {
                if !missingImages.contains(image.image) { missingImages.append(image.image) }
            }
        case .invalid: break
        }
        if let next = interruptedBySignal(cursor) { return (next, .context) }
        if let next = returnFromNowhere(cursor) { return (next, .stackTop) }
        if let next = callerByFramePointer(cursor) { return (next, .framePointer) }
        if let next = callerByScan(cursor) { return (next, .scan) }
        end = .lost
        return nil
    }

    /// A caller lies higher on the stack; only a signal may come from another one.
    private func accept(_ registers: Registers, after cursor: Cursor, interrupted: Bool) -> Cursor? {
        guard let programCounter = registers.programCounter, let stackPointer = registers.stackPointer,
            programCounter < architecture.addressLimit
        else { return nil }
        let leafOnArm = architecture == .arm64 && cursor.isExact
        guard interrupted || stackPointer > cursor.stackPointer || (leafOnArm && stackPointer == cursor.stackPointer)
        else { return nil }
        return Cursor(
            registers: registers, programCounter: programCounter, stackPointer: stackPointer, isExact: interrupted)
    }

    /// Whether an address is where this stack would go on, above what was captured of it.
    private func liesBeyondCapture(_ address: UInt64) -> Bool {
        // A word may straddle the end.
        address >= captureEnd &- 7 && address &- captureEnd &+ 7 < Self.maximumStackBytes
    }

    // MARK: Without call frame information

    /// What a signal interrupted, where the handler returns to code that no file describes.
    private func interruptedBySignal(_ cursor: Cursor) -> Cursor? {
        guard !cursor.isExact, let registers = SignalFrame.interrupted(cursor.registers, memory: memory),
            let programCounter = registers.programCounter, let stackPointer = registers.stackPointer,
            images.image(at: programCounter)?.isExecutable(programCounter) == true
        else { return nil }
        return Cursor(
            registers: registers, programCounter: programCounter, stackPointer: stackPointer, isExact: true)
    }

    /// After a call into nowhere the return address is where the call left it.
    private func returnFromNowhere(_ cursor: Cursor) -> Cursor? {
        guard cursor.isExact, images.image(at: cursor.programCounter)?.isExecutable(cursor.programCounter) != true
        else { return nil }
        var registers = cursor.registers
        if let link = architecture.linkRegister {
            guard let returnAddress = registers[link].map({ architecture.stripped($0) }),
                isReturnAddress(returnAddress, mustBeSeen: false)
            else { return nil }
            registers.programCounter = returnAddress
        } else {
            guard let returnAddress = memory.read(cursor.stackPointer),
                isReturnAddress(returnAddress, mustBeSeen: false)
            else { return nil }
            registers.programCounter = returnAddress
            registers.stackPointer = cursor.stackPointer &+ 8
        }
        return Cursor(
            registers: registers, programCounter: registers.programCounter ?? 0,
            stackPointer: registers.stackPointer ?? 0, isExact: false)
    }

    /// The frame record that the frame pointer points to: the caller's frame pointer, then the return address. The
    /// caller may use that register for something else, so that it is only looked at when it is needed.
    private func callerByFramePointer(_ cursor: Cursor) -> Cursor? {
        guard let record = cursor.registers.framePointer, record >= cursor.stackPointer, record.isMultiple(of: 8),
            record < UInt64.max - 16, let callerFramePointer = memory.read(record), let word = memory.read(record + 8)
        else { return nil }
        let returnAddress = architecture.stripped(word)
        guard isReturnAddress(returnAddress, mustBeSeen: false) else { return nil }
        return caller(at: returnAddress, stackPointer: record + 16, framePointer: callerFramePointer)
    }

    /// The first word of the stack that can only be a return address.
    private mutating func callerByScan(_ cursor: Cursor) -> Cursor? {
        guard scannedFrames < Self.maximumScannedFrames else { return nil }
        // Below the stack pointer of a caller lies nothing of interest, and words are aligned.
        let start = (cursor.stackPointer &+ 7) & ~7
        for index in 0..<Self.maximumScannedWords {
            let address = start &+ index &* 8
            guard address >= start, let word = memory.read(address) else { return nil }
            let returnAddress = architecture.stripped(word)
            guard isReturnAddress(returnAddress, mustBeSeen: true) else { continue }
            scannedFrames += 1
            let framePointer = cursor.registers.framePointer.flatMap { $0 > address ? $0 : nil }
            return caller(at: returnAddress, stackPointer: address &+ 8, framePointer: framePointer)
        }
        return nil
    }

    /// A frame of which nothing else is known.
    private func caller(at returnAddress: UInt64, stackPointer: UInt64, framePointer: UInt64?) -> Cursor {
        var registers = Registers(architecture: architecture)
        registers.programCounter = returnAddress
        registers.stackPointer = stackPointer
        registers.framePointer = framePointer
        return Cursor(
            registers: registers, programCounter: returnAddress, stackPointer: stackPointer, isExact: false)
    }

    /// Lies in an image's code, behind a call. `mustBeSeen`: the image's file is there and shows it.
    private func isReturnAddress(_ address: UInt64, mustBeSeen: Bool) -> Bool {
        guard address > 0, let image = images.image(at: address - 1) else { return false }
        guard let isExecutable = image.isExecutable(address - 1) else { return !mustBeSeen }
        let isCall = CallInstruction.precedes(address, memory: memory, architecture: architecture)
        return isExecutable && isCall ?? !mustBeSeen
    }
}
