// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// The awaiting callers of a task that was suspended, from the contexts that gdb read.
@Suite struct AsyncChainTests {
    private func truth() throws -> GdbTruth {
        try GdbTruth.of(#require(Crasher.all.first { $0.name == "after-await" }, "build it with `make crashers`"))
    }

    private func withContexts(_ truth: GdbTruth) -> Event {
        var event = truth.event
        event.memory = truth.contexts.map { MemoryRegion(address: HexAddress($0.address), data: $0.data) }
        return event
    }

    private func names(_ frames: [Frame], _ event: Event) -> [String] {
        let images = ImageMap(event.debugImages) { ImageFiles(code: $0.codeFile, debug: nil) }
        return frames.map { frame in
            let address = frame.instructionAddress.rawValue
            let function = images.image(at: address)?.function(at: address)
            #expect(function?.address == address, "a resume address is a function's start")
            return function?.name ?? "?"
        }
    }

    @Test func callersFollowThePhysicalFrames() throws {
        let truth = try truth()
        let event = withContexts(truth)
        let result = Unwinder.onThisMachine.unwind(event)
        let frames = try #require(result.crashedThread).frames
        let callers = names(Array(frames.dropFirst(truth.frames.count)), event)
        #expect(frames.dropFirst(truth.frames.count).allSatisfy { $0.trust == .async && $0.lookupAddress > 0 })
        #expect(callers.count >= 2)
        #expect(callers.first == "$s11after_await10totalStockySiSaySiGYaFTQ1_")
        #expect(callers.dropFirst().first?.contains("9InventoryV4main") == true)
        #expect(!result.loss.contains { $0.what.hasPrefix("awaiting callers") })
    }

    @Test func uncapturedContextIsSaidToBe() throws {
        let truth = try truth()
        let result = Unwinder.onThisMachine.unwind(truth.event)
        #expect(result.crashedThread?.frames.contains { $0.trust == .async } == false)
        let loss = try #require(result.loss.first { $0.what.hasPrefix("awaiting callers") })
        #expect(loss.why.contains("was not captured"))
    }

    @Test func corruptedContextEndsTheChain() throws {
        let truth = try truth()
        var event = withContexts(truth)
        // The second context resumes what is no function's start.
        let second = truth.contexts[1]
        let middle = withUnsafeBytes(of: truth.frames[0].address) { Data($0) }
        event.memory?[1] = MemoryRegion(address: HexAddress(second.address), data: second.data.prefix(8) + middle)
        let frames = try #require(Unwinder.onThisMachine.unwind(event).crashedThread).frames
        #expect(frames.filter { $0.trust == .async }.count == 1)

        // The second context is its own caller.
        let itself = withUnsafeBytes(of: second.address) { Data($0) }
        event.memory?[1] = MemoryRegion(address: HexAddress(second.address), data: itself + second.data.suffix(8))
        let cycle = try #require(Unwinder.onThisMachine.unwind(event).crashedThread).frames
        #expect(cycle.filter { $0.trust == .async }.count == 2)
    }

    @Test func namesOfResumingFunctions() {
        #expect(AsyncName.resumes("$s11after_await10totalStockySiSaySiGYaFTQ1_"))
        #expect(AsyncName.resumes("$s4main1fyyYaFTY12_"))
        #expect(AsyncName.resumes("async_MainTQ0_"))
        #expect(AsyncName.isAsync("async_Main") && !AsyncName.resumes("async_Main"))
        for name in ["", "_", "$s", "$s4main1fyyYaF", "$s4main1fyyYaFTY_", "main", "TQ0_", "$sTZ0_"] {
            #expect(!AsyncName.resumes(name), "\(name)")
        }
    }
}
