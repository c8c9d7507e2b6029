// SPDX-License-Identifier: Apache-2.0
import CoreFile
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Written cores, read back.
@Suite struct CoreWriterTests {
    private func event(arch: String, registers: [String: HexAddress], stack: MemoryRegion?) -> Event {
        var event = Event(
            eventID: "0", type: .crash, timestamp: Timestamp(nanoseconds: 0), level: .fatal, arch: arch)
        event.reason = Reason(
            signal: "SIGSEGV", number: 11, code: "SEGV_ACCERR", exception: "EXC_BAD_ACCESS",
            faultAddress: HexAddress(0xdead))
        event.contexts["process"] = ["name": "a-program", "pid": 70, "parent_pid": 7]
        event.threads = [
            ThreadState(id: 71, registers: registers),
            ThreadState(id: 72, crashed: true, registers: registers, stack: stack),
            ThreadState(id: 73),
        ]
        return event
    }

    private func roundTrip(_ event: Event, in folder: TemporaryFolder) throws -> Event {
        let core = try CoreWriter(event: event) { _ in nil }
        #expect(core.threadsLeftOut == 1)
        try core.write(to: folder.path + "/core")
        #expect(folder.entries("") == ["core"])
        return try CoreFile(path: folder.path + "/core").event()
    }

    @Test func threadsRegistersAndReasonComeBack() throws {
        let sets = [
            "x86_64": ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "rip", "rflags"]
                + (8...15).map { "r\($0)" },
            "arm64": (0...30).map { "x\($0)" } + ["sp", "pc", "pstate"],
        ]
        for (arch, names) in sets {
            let folder = try TemporaryFolder()
            let registers = Dictionary(
                uniqueKeysWithValues: names.enumerated().map { ($0.element, HexAddress(0x7000 + UInt64($0.offset))) })
            let pointer = registers["rsp"] ?? registers["sp"] ?? HexAddress(0)
            let stack = MemoryRegion(address: HexAddress(pointer.rawValue - 128), data: Data(0..<200))
            let sent = event(arch: arch, registers: registers, stack: stack)
            let back = try roundTrip(sent, in: folder)
            #expect(back.arch == arch)
            #expect(back.reason == sent.reason)
            #expect(back.threads.map(\.id) == [72, 71])
            #expect(back.threads.map(\.crashed) == [true, false])
            #expect(back.threads.allSatisfy { $0.registers == registers })
            #expect(back.threads[0].stack == stack)
            #expect(back.contexts["process"] == sent.contexts["process"])
        }
    }

    /// Of regions that lie over each other, those that start first stay; what touches is one segment.
    @Test func overlappingMemoryIsMerged() throws {
        let folder = try TemporaryFolder()
        let registers = ["rip": HexAddress(0x100), "rsp": HexAddress(0x8080)]
        var sent = event(
            arch: "x86_64", registers: registers,
            stack: MemoryRegion(address: HexAddress(0x8000), data: Data(repeating: 1, count: 64)))
        sent.memory = [
            MemoryRegion(address: HexAddress(0x8020), data: Data(repeating: 2, count: 64)),
            MemoryRegion(address: HexAddress(0x8020), data: Data(repeating: 3, count: 16)),
            MemoryRegion(address: HexAddress(0x8060), data: Data(repeating: 4, count: 64)),
            MemoryRegion(address: HexAddress(.max - 8), data: Data(repeating: 5, count: 64)),
            MemoryRegion(address: HexAddress(0x9000), data: Data()),
        ]
        let back = try roundTrip(sent, in: folder)
        let expected =
            [UInt8](repeating: 1, count: 64) + Array(repeating: 2, count: 32) + Array(repeating: 4, count: 64)
        #expect(back.threads[0].stack?.address == HexAddress(0x8000))
        #expect(back.threads[0].stack.map { Array($0.data) } == expected)
    }

    @Test func whatCannotBeACoreIsRefused() throws {
        let folder = try TemporaryFolder()
        let registers = ["rip": HexAddress(1), "rsp": HexAddress(2)]
        #expect(throws: CoreFileError.self) {
            try CoreWriter(event: event(arch: "riscv64", registers: registers, stack: nil)) { _ in nil }
        }
        #expect(throws: CoreFileError.self) {
            try CoreWriter(event: event(arch: "x86_64", registers: [:], stack: nil)) { _ in nil }
        }
        let core = try CoreWriter(event: event(arch: "x86_64", registers: registers, stack: nil)) { _ in nil }
        #expect(throws: CoreFileError.self) { try core.write(to: folder.path) }
        #expect(throws: CoreFileError.self) { try core.write(to: folder.path + "/none/core") }
        #expect(folder.entries("").isEmpty)
    }
}
