// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import Glibc
import Symbolication
import TestSupport
import Testing
import VakaModel

/// arm64 under emulation, and static programs with musl: Programs/elsewhere.c in each of its ways.
@Suite struct ArchitectureTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        var signal: (number: Int32, name: String)
        var code: String
        /// The program's own frames, innermost first; a library's may lie between them.
        var functions: [String]
        var kind: ReasonKind?
        var faultAddress: HexAddress?
        var testDescription: String { name }

        init(
            _ name: String, _ signal: (Int32, String), _ code: String, _ functions: [String], kind: ReasonKind? = nil,
            faultAddress: HexAddress? = nil
        ) {
            self.name = name
            self.signal = signal
            self.code = code
            self.functions = functions
            self.kind = kind
            self.faultAddress = faultAddress
        }
    }

    private static let segv = (SIGSEGV, "SIGSEGV")

    static let ways = [
        Way("null-write", segv, "SEGV_MAPERR", ["write_null", "run_way", "main"], faultAddress: HexAddress(8)),
        Way(
            "call-null", segv, "SEGV_MAPERR", ["call_null", "run_way", "main"], kind: .nullCall,
            faultAddress: HexAddress(0)),
        Way("abort", (SIGABRT, "SIGABRT"), "SI_TKILL", ["give_up", "run_way", "main"]),
        Way("undefined", (SIGILL, "SIGILL"), "ILL_ILLOPN", ["run_undefined", "run_way", "main"]),
        Way("breakpoint", (SIGTRAP, "SIGTRAP"), "TRAP_BRKPT", ["run_breakpoint", "run_way", "main"]),
        Way("raise", segv, "SI_TKILL", ["send_itself", "run_way", "main"]),
        Way("callback", segv, "SEGV_MAPERR", ["write_null", "compare"], faultAddress: HexAddress(8)),
        Way("thread-null-write", segv, "SEGV_MAPERR", ["write_null", "run_way", "on_thread"]),
        Way("overflow", segv, "SEGV_ACCERR", ["recurse", "recurse"], kind: .stackOverflow),
        Way("thread-overflow", segv, "SEGV_ACCERR", ["recurse", "recurse"], kind: .stackOverflow),
    ]

    @Test(arguments: [CrossPrograms.Target.arm64Static, .arm64Dynamic], ways)
    func arm64(_ target: CrossPrograms.Target, _ way: Way) throws {
        let captured = try CrossPrograms.crash(target, way.name)
        let event = try check(captured, target, way)
        #expect(event.arch == "arm64")
        #expect(event.reason?.code == way.code)
        let thread = try #require(event.crashedThread)
        #expect(thread.registers.count == 34)
        #expect(thread.registers["pc"] == thread.frames.first { !$0.inlined }?.instructionAddress)
    }

    /// No frame pointers, and return addresses that are signed.
    @Test(arguments: ways.filter { $0.kind != .stackOverflow })
    func arm64WithSignedReturnAddresses(_ way: Way) throws {
        let event = try check(try CrossPrograms.crash(.arm64Signed, way.name), .arm64Signed, way)
        let thread = try #require(event.crashedThread)
        let first = way.kind == .nullCall ? 2 : 1
        #expect(thread.frames.filter { !$0.inlined }.dropFirst(first).allSatisfy { $0.trust == .cfi })
        #expect(!thread.framesTruncated)
    }

    /// With pointers alone of registers and stacks: they lead to the same frames, return addresses without their signature.
    @Test(
        arguments: [CrossPrograms.Target.arm64Static, .arm64Dynamic, .arm64Signed],
        ways.filter { ["null-write", "call-null", "thread-null-write"].contains($0.name) })
    func arm64WithPointersOnly(_ target: CrossPrograms.Target, _ way: Way) throws {
        let captured = try CrossPrograms.crash(target, way.name, ["VAKA_MEMORY_POINTERS_ONLY=1"])
        let event = try check(captured, target, way, ["registers and words of stacks that are no pointers"])
        #expect(event.crashedThread?.pointersOnly == true)
        var bare = try captured.record().event()
        for index in bare.threads.indices { bare.threads[index].frames = [] }
        let finder = ImageFinder(symbolPaths: [try CrossPrograms.program(target)], useSystem: false)
        let frames = try #require(Symbolicator(finder: finder).symbolicate(bare).crashedThread).frames
        let functions = frames.compactMap(\.function)
        #expect(functions.filter(way.functions.contains).starts(with: way.functions), "\(functions)")
    }

    @Test(arguments: ways) func musl(_ way: Way) throws {
        let event = try check(try CrossPrograms.crash(.musl, way.name), .musl, way)
        #expect(event.contexts["libc"]?["name"] != "glibc")
        #expect(event.crashedThread?.registers["rip"] != nil)
    }

    /// One whole record, with the reason and the declared frames, each with its file and line.
    private func check(
        _ captured: Captured, _ target: CrossPrograms.Target, _ way: Way, _ loss: [String] = []
    ) throws -> Event {
        #expect(captured.result.status == .signalled(way.signal.number), "\(captured.result.errors)")
        let record = try captured.record()
        #expect(record.isWhole)
        let finder = ImageFinder(symbolPaths: [try CrossPrograms.program(target)], useSystem: false)
        let event = Symbolicator(finder: finder).symbolicate(record.event())
        #expect(event.tags == (target.isLinked ? ["colour": "blue"] : [:]))
        let reason = try #require(event.reason)
        #expect(reason.signal == way.signal.name)
        #expect(reason.kind == way.kind)
        if let address = way.faultAddress { #expect(reason.faultAddress == address) }
        // The emulator has a thread of its own, which answers no signal, and no process_vm_readv.
        let own = record.event().loss.filter { $0.what != "registers of 1 thread" && $0.what != "fast reads of memory" }
        #expect(own.map(\.what) == loss, "\(own)")

        let frames = try #require(event.crashedThread).frames
        var rest = frames.filter { $0.file?.hasSuffix("/elsewhere.c") == true && $0.line != nil }[...]
        for function in way.functions {
            let place = rest.firstIndex { $0.function == function }
            let index = try #require(place, "\(function) in \(frames.map { $0.function ?? "?" })")
            #expect(index == rest.startIndex, "\(rest[rest.startIndex]) before \(function)")
            rest = rest[(index + 1)...]
        }
        return event
    }
}
