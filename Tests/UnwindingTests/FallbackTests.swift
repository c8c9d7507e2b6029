// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// What the unwinder does where call frame information, memory or files are wanting, on crashes that gdb captured.
@Suite struct FallbackTests {
    private func truth(_ name: String) throws -> GdbTruth {
        try GdbTruth.of(#require(Crasher.all.first { $0.name == name }, "build it with `make crashers`"))
    }

    private func thread(_ event: Event, _ unwinder: Unwinder = .onThisMachine) throws -> ThreadState {
        try #require(unwinder.unwind(event).crashedThread)
    }

    @Test func callIntoNowhereReturnsToTheTopOfTheStack() throws {
        for name in ["call-null", "call-wild"] {
            let found = try thread(truth(name).event)
            #expect(found.frames.prefix(3).map(\.trust) == [.context, .stackTop, .cfi])
            #expect(!found.framesTruncated)
        }
    }

    @Test func callerOfASignalTrampolineWasInterrupted() throws {
        let truth = try truth("signal-handler")
        let found = try thread(truth.event)
        let trampoline = try #require(truth.frames.firstIndex { $0.name == "__restore_rt" })
        let interrupted = found.frames[trampoline + 1]
        #expect(interrupted.trust == .cfi)
        #expect(interrupted.lookupAddress == truth.frames[trampoline + 1].address)
        #expect(found.frames[1].lookupAddress == truth.frames[1].address - 1)
    }

    @Test func cutStackGivesThePrefixAndSaysSo() throws {
        let truth = try truth("qsort-abort")
        var event = truth.event
        let whole = try thread(event).frames
        event.threads[0].stack?.data = truth.stack.data.prefix(300)
        let found = try thread(event)
        #expect(found.framesTruncated)
        #expect(found.frames.count > 1 && found.frames.count < whole.count)
        #expect(Array(whole.prefix(found.frames.count)) == found.frames)
    }

    @Test func overflowIsCutAtTheLimitAndSaysSo() throws {
        let found = try thread(truth("stack-overflow").event)
        #expect(found.framesTruncated)
        #expect(found.frames.count == StackWalk.maximumFrames)
        #expect(found.frames.dropFirst().allSatisfy { $0.trust == .cfi })
    }

    @Test func missingLibraryIsScannedOverAndNamed() throws {
        let truth = try truth("qsort-abort")
        let withoutLibrary = Unwinder { image in
            image.name == "libc.so.6" ? ImageFiles() : ImageFiles(code: image.codeFile, debug: nil)
        }
        let event = withoutLibrary.unwind(truth.event)
        let found = try #require(event.crashedThread)
        let own = found.frames.filter { $0.module == "qsort-abort" }
        #expect(own.first?.trust == .scan)
        for name in ["checked_cents", "compare_prices", "cheapest_article", "main"] {
            let expected = try #require(truth.frames.first { $0.name == name })
            #expect(own.contains { $0.instructionAddress.rawValue == expected.address }, "\(name)")
        }
        #expect(event.loss.contains { $0.why.contains("libc.so.6") })
    }

    @Test func capturedFramesStayWhereTheWalkFindsFewer() throws {
        let truth = try truth("abort")
        var event = truth.event
        let captured = truth.frames.prefix(4).enumerated().map { index, frame in
            Frame(instructionAddress: HexAddress(frame.address), trust: index == 0 ? .context : .framePointer)
        }
        event.threads[0].frames = captured
        event.threads[0].framesTruncated = true
        event.threads[0].stack?.data = Data(count: 8)
        let result = Unwinder.onThisMachine.unwind(event)
        #expect(result.threads[0].frames == captured)
        #expect(result.loss.contains { $0.why.contains("4 frames found at the crash are kept") })

        event.threads[0].stack = nil
        #expect(Unwinder.onThisMachine.unwind(event).threads[0].frames == captured)
        event.threads[0].frames = []
        let bare = Unwinder.onThisMachine.unwind(event)
        #expect(bare.threads[0].frames.map(\.trust) == [.context])
        #expect(bare.loss.contains { $0.why.contains("stack was not captured") })
    }

    @Test func wholeFramesStay() throws {
        let truth = try truth("qsort-abort")
        var event = truth.event
        let whole = try thread(event).frames
        // As a record has them, with nothing to walk over and no file.
        event.threads[0].frames = whole
        event.threads[0].stack = nil
        event.memory = [MemoryRegion(address: HexAddress(16), data: Data(count: 8))]
        let result = Unwinder { _ in ImageFiles() }.unwind(event)
        #expect(result.threads[0].frames == whole)
        #expect(!result.threads[0].framesTruncated)
        #expect(result.loss.isEmpty)
    }

    @Test func surerFramesStayWhereFilesAreMissing() throws {
        let truth = try truth("qsort-abort")
        var event = truth.event
        let found = Array(try thread(event).frames.prefix(6))
        event.threads[0].frames = found
        event.threads[0].framesTruncated = true
        let result = Unwinder { _ in ImageFiles() }.unwind(event)
        #expect(result.threads[0].frames == found)
        #expect(result.threads[0].framesTruncated)
        // With the files the walk goes on.
        #expect(try thread(event).frames.count > found.count)
        #expect(try !thread(event).framesTruncated)
    }

    @Test func guessesGiveWay() throws {
        let truth = try truth("qsort-abort")
        var event = truth.event
        let whole = try thread(event).frames
        event.threads[0].frames = whole.enumerated().map { index, frame in
            index < 2 ? frame : Frame(instructionAddress: frame.instructionAddress, trust: .framePointer)
        }
        #expect(try thread(event).frames == whole)
        event.threads[0].frames[2].instructionAddress = HexAddress(truth.frames[0].address)
        #expect(try thread(event).frames == whole)
    }

    @Test func unwindingAgainForgetsWhatWasMissing() throws {
        let truth = try truth("qsort-abort")
        let first = Unwinder { _ in ImageFiles() }.unwind(truth.event)
        #expect(!first.loss.isEmpty)
        let second = Unwinder.onThisMachine.unwind(first)
        #expect(second == Unwinder.onThisMachine.unwind(truth.event))
        #expect(second.loss.isEmpty)
        #expect(Unwinder.onThisMachine.unwind(second.withoutMemory).threads[0].frames == second.threads[0].frames)
    }

    @Test func framePointersLeadThroughCodeOfNoImage() throws {
        let truth = try truth("null-write")
        var event = truth.event
        let caller = truth.frames[1].address
        // A page of generated code called from book_orders, which had set up a frame pointer.
        let base: UInt64 = 0x7000_0000
        event.threads[0].registers["rip"] = HexAddress(0x6000_0000)
        event.threads[0].registers["rsp"] = HexAddress(base)
        event.threads[0].registers["rbp"] = HexAddress(base + 64)
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(base), data: Data(count: 64) + word(0) + word(caller) + Data(count: 64))
        let found = try thread(event)
        #expect(found.frames.map(\.trust).prefix(2) == [.context, .framePointer])
        #expect(found.frames[1].instructionAddress.rawValue == caller)
    }

    @Test func scanTakesReturnAddressesOnly() throws {
        let truth = try truth("null-write")
        var event = truth.event
        let caller = truth.frames[1].address
        let base: UInt64 = 0x7000_0000
        event.threads[0].registers = ["rip": HexAddress(0x6000_0000), "rsp": HexAddress(base), "rbp": HexAddress(0)]
        // Code that no call stands before, then a real return address.
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(base), data: word(7) + word(caller + 1) + word(truth.images[0].address) + word(caller))
        let found = try thread(event)
        #expect(found.frames.prefix(2).map(\.instructionAddress.rawValue) == [0x6000_0000, caller])
        #expect(found.frames[1].trust == .scan)
        #expect(found.framesTruncated)
    }

    @Test func armTrampolineOfNoFileIsReadFromTheSignalFrame() throws {
        let truth = try truth("null-write")
        var event = truth.event
        let (handler, interrupted) = (truth.frames[0].address, truth.frames[1].address)
        let (library, trampoline): (UInt64, UInt64) = (0x7100_0000, 0x7100_0100)
        let base: UInt64 = 0x7000_0000
        // siginfo and the head of the ucontext, x0 to x30, then sp, pc and pstate.
        var frame = Data(count: 312)
        for register in 0...30 as ClosedRange<UInt64> { frame += word(0x100 + register) }
        frame += word(base + 1024) + word(interrupted) + word(0)
        event.arch = "arm64"
        event.debugImages.append(
            DebugImage(
                buildID: nil, codeFile: "linux-vdso.so.1", imageAddress: HexAddress(library), imageSize: 4096))
        event.threads[0].registers = [
            "pc": HexAddress(0x6000_0000), "sp": HexAddress(base), "x29": HexAddress(0), "x30": HexAddress(trampoline),
        ]
        event.threads[0].stack = MemoryRegion(address: HexAddress(base), data: frame)
        let found = try thread(event)
        #expect(found.frames.prefix(3).map(\.instructionAddress.rawValue) == [0x6000_0000, trampoline, interrupted])
        #expect(found.frames.count > 2 && found.frames[2].notes == [Frame.interrupted])
        #expect(found.frames.count > 2 && found.frames[2].lookupAddress == interrupted)

        // What was interrupted must lie in code.
        event.threads[0].stack?.data.replaceSubrange(568..<576, with: word(handler &+ 1 << 40))
        #expect(try thread(event).frames.count == 2)
    }

    private func word(_ value: UInt64) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
}
