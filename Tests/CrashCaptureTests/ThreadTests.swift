// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// The other threads at a crash, what became of them, and the stacks they are given.
@Suite struct ThreadTests {
    @Test func everyThreadHasNameRegistersFramesAndStack() throws {
        let event = try Captured.threads("beside").record().event()
        #expect(event.threads.map(\.name).sorted { ($0 ?? "") < ($1 ?? "") } == ["first", "second", "threads"])
        #expect(event.loss.isEmpty, "\(event.loss)")
        let program = try #require(event.debugImages.first { $0.codeFile?.hasSuffix("/threads") == true })
        for thread in event.threads where !thread.crashed {
            #expect(thread.registers["rip"] ?? thread.registers["pc"] == thread.frames.first?.instructionAddress)
            #expect(thread.frames.contains { program.contains($0.instructionAddress.rawValue) })
            let stack = try #require(thread.stack)
            #expect(stack.data.count > 1024 && stack.data.count <= 8192)
        }
    }

    /// One sleeps in a system call, whose place /proc tells; the other runs.
    @Test func threadsThatBlockEverySignal() throws {
        let captured = try Captured.threads("deaf")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        let deaf = try #require(event.threads.first { $0.name == "deaf" })
        let spinning = try #require(event.threads.first { $0.name == "spinning" })
        #expect(deaf.registers.count == 2, "program counter and stack pointer")
        #expect(!deaf.frames.isEmpty)
        #expect(deaf.stack != nil)
        #expect(spinning.registers.isEmpty)
        #expect(event.loss.map(\.what) == ["registers of 2 threads"])
    }

    /// A thread that ends while the others are stopped is nothing that is missing; one may slip through, not more.
    @Test func threadsThatComeAndGo() throws {
        var nameless = 0
        for _ in 0..<6 {
            let captured = try Captured.threads("churn")
            #expect(captured.result.status == .signalled(SIGSEGV))
            let event = try captured.record().event()
            #expect(event.threads.count >= 5)
            nameless += event.threads.count { $0.name == nil }
        }
        #expect(nameless <= 1)
    }

    /// Dispatch leaves only the signals of faults: one of those stops its threads.
    @Test func threadsThatBlockAllButFaults() throws {
        let captured = try Captured.threads("masked")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.threads.count == 3)
        #expect(event.threads.allSatisfy { $0.registers.count > 2 && !$0.frames.isEmpty && $0.stack != nil })
        #expect(event.loss.isEmpty, "\(event.loss)")
    }

    @Test func heldLocks() throws {
        let captured = try Captured.threads("locks")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().threads.count == 4)
        #expect(record.event().debugImages.count >= 3)
    }

    /// Handlers that repair what faulted: the program lives on, from several threads at once, as without us.
    @Test func repairingHandlerLivesOn() throws {
        let captured = try Captured.threads("repaired")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "repaired 1\n")
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty)
    }

    /// The signal that stops threads does nothing to one that gets it when the program lives on.
    @Test func signalThatComesLate() throws {
        let captured = try Captured.threads("late")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "alive\n")
        #expect(captured.crashes.isEmpty)
    }

    @Test func moreThreadsThanThereIsRoomFor() throws {
        let captured = try Captured.threads("many", "2300")
        // Containers may allow fewer.
        guard captured.result.status != .exited(97) else { return }
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.threads.count == 2049)
        #expect(event.threads[0].crashed)
        #expect(
            event.loss.first { $0.what.hasSuffix(" threads") && !$0.what.hasPrefix("registers") }?.what == "251 threads"
        )
    }

    // MARK: Alternate stacks

    @Test(arguments: [false, true]) func smallThreadsOverflow(isStatic: Bool) throws {
        let program = isStatic ? try TestPrograms.staticThreads() : try TestPrograms.threads()
        let captured = try Captured.threads("overflow", program: program)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.reason?.kind == .stackOverflow)
        let frames = try #require(event.crashedThread).frames
        #expect(frames.count > 60)
        #expect(Set(frames[1...60].map(\.instructionAddress)).count == 1, "the same call, again and again")
    }

    @Test func switchTurnsThemOff() throws {
        let byFlag = try Captured.threads("overflow", "no-thread-stacks")
        #expect(byFlag.result.status == .signalled(SIGSEGV))
        #expect(byFlag.crashes.isEmpty, "the kernel ends it: no handler can run")
        let byVariable = try Captured.threads("overflow", environment: ["VAKA_NO_THREAD_STACKS": "1"])
        #expect(byVariable.crashes.isEmpty)
    }

    @Test(arguments: [false, true]) func alternateStacksAreReleased(isStatic: Bool) throws {
        let program = isStatic ? try TestPrograms.staticThreads() : try TestPrograms.threads()
        let captured = try Captured.threads("create", "10000", program: program)
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "1 1\n", "each had one; no mappings are left")
    }

    @Test(arguments: ["address", "thread"]) func sanitizers(_ which: String) throws {
        let program =
            which == "address"
            ? try TestPrograms.addressSanitizedThreads() : try TestPrograms.threadSanitizedThreads()
        let started = try Captured.threads("create", "200", program: program)
        #expect(started.result.status == .exited(0), "\(started.result.errors)")
        let captured = try Captured.threads("null-write", program: program)
        #expect(captured.result.status == .exited(which == "address" ? 1 : 66), "the sanitizer ends it")
        #expect(captured.result.errors.contains("SEGV on unknown address 0x000000000008"))
        #expect(try captured.record().isWhole)
    }

    // MARK: Memory

    @Test func registersMemoryIsKeptOnDemand() throws {
        let without = try Captured.threads("null-write").record().event()
        let with = try Captured.threads("null-write", "register-memory").record().event()
        #expect((with.memory ?? []).count > (without.memory ?? []).count)
        #expect((with.memory ?? []).allSatisfy { $0.data.count <= 65536 })
    }

    @Test func virtualLibraryIsInTheRecordOnce() throws {
        let event = try Captured.threads("null-write").record().event()
        let images = (event.memory ?? []).filter { $0.data.starts(with: [0x7f, 0x45, 0x4c, 0x46]) }
        #expect(images.count == 1)
        #expect(images.first.map { memory in event.debugImages.contains { $0.imageAddress == memory.address } } == true)
    }
}
