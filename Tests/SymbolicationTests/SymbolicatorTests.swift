// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing
import VakaModel

@Suite struct SymbolicatorTests {
    private static let bias: UInt64 = 0x5555_5555_4000

    private static let source = """
        #include <stdlib.h>
        static inline __attribute__((always_inline)) int half(int *p) {
            return *p / 2;
        }
        __attribute__((noinline)) int inner(int *p) {
            return half(p) + 1;
        }
        __attribute__((noinline)) void outer(int *p) {
            exit(inner(p) > 3 ? 2 : 3);
        }
        int main(int argc, char **argv) {
            outer(argc > 1 ? &argc : 0);
        }

        """

    private let folder: TemporaryFolder
    private let program: String

    init() throws {
        folder = try TemporaryFolder()
        program = try CompiledProgram.build(
            "prog", source: Self.source, extension: "c", compiler: "gcc", flags: ["-O2", "-g"], in: folder)
    }

    private func address(of symbol: String, in file: String? = nil) throws -> UInt64 {
        let lines = try CompiledProgram.tool("nm", [file ?? program]).split(separator: "\n")
        let line = try #require(lines.first { $0.hasSuffix(" " + symbol) })
        return try #require(UInt64(line.split(separator: " ")[0], radix: 16))
    }

    private func image(_ file: String, path: String? = nil) throws -> DebugImage {
        let identity = try ELFIdentifier.identify(path: file)
        return DebugImage(
            buildID: identity.buildID, codeFile: path ?? file,
            imageAddress: HexAddress(Self.bias &+ identity.firstLoadAddress), imageSize: identity.loadedSize)
    }

    private func event(_ frames: [Frame], images: [DebugImage]) -> Event {
        var event = Event(
            eventID: "0123456789abcdef0123456789abcdef", type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal,
            arch: "x86_64")
        event.threads = [ThreadState(id: 1, crashed: true, frames: frames)]
        event.debugImages = images
        event.reason = Reason(signal: "SIGSEGV", number: 11, exception: "EXC_BAD_ACCESS")
        return event
    }

    private func frame(_ linked: UInt64, _ trust: FrameTrust = .context, notes: [String] = []) -> Frame {
        Frame(instructionAddress: HexAddress(Self.bias &+ linked), trust: trust, notes: notes)
    }

    @Test func inlinedFramesStandBeforeTheirPhysicalFrame() throws {
        let inner = try address(of: "inner")
        let input = event([frame(inner)], images: [try image(program)])
        let frames = Symbolicator(finder: ImageFinder()).symbolicate(input).threads[0].frames
        try #require(frames.count == 2)
        #expect(frames[0].function == "half" && frames[0].inlined && frames[0].line == 3)
        #expect(frames[1].function == "inner" && !frames[1].inlined && frames[1].line == 6)
        #expect(frames[0].instructionAddress == frames[1].instructionAddress)
        for frame in frames {
            #expect(frame.file == program + ".c" && frame.column != nil)
            #expect(frame.module == "prog" && frame.status == .symbolicated && frame.inApp == true)
            #expect(frame.relativeAddress?.rawValue == inner && frame.buildID != nil && frame.trust == .context)
        }
    }

    /// `outer` ends in a call that does not return: its return address is the next function's first byte.
    @Test func callersAreLookedUpInTheCall() throws {
        let code = try CompiledProgram.tool("objdump", ["-d", "--no-show-raw-insn", program])
        let calls = code.split(separator: "\n").drop { !$0.contains("<outer>:") }
        let index = try #require(calls.firstIndex { $0.contains("<exit@plt>") || $0.contains("<exit") })
        let call = try #require(UInt64(calls[index].prefix { $0 != ":" }.drop { $0 == " " }, radix: 16))
        let after = call + 5
        let images = [try image(program)]
        let symbolicator = Symbolicator(finder: ImageFinder())
        let caller = symbolicator.symbolicate(event([frame(after, .cfi)], images: images)).threads[0].frames
        #expect(caller.last?.function == "outer" && caller.last?.line == 9)
        let start = try address(of: "inner")
        for exact in [frame(start, .async), frame(start, .cfi, notes: [Frame.interrupted])] {
            let named = symbolicator.symbolicate(event([exact], images: images)).threads[0].frames
            #expect(named.last?.function == "inner")
        }
    }

    /// What no call stands before was not called: the frame is where it says, whatever found it.
    @Test func framesBehindNoCallAreLookedUpWhereTheyAre() throws {
        let code = try CompiledProgram.tool("objdump", ["-d", "--no-show-raw-insn", program]).split(separator: "\n")
        let index = try #require(code.firstIndex { $0.hasSuffix("<inner>:") })
        let start = try address(of: "inner")
        let before = try #require(code[..<index].last { $0.contains("\t") })
        let frames = [frame(start, .cfi), frame(start, .framePointer), frame(start, .scan)]
        let named = Symbolicator(finder: ImageFinder(), options: .init(unwinds: false))
            .symbolicate(event(frames, images: [try image(program)])).threads[0].frames.filter { !$0.inlined }
        #expect(named.count == 3)
        #expect(named.allSatisfy { ($0.function == "inner") != before.contains("call") }, "\(before)")
    }

    @Test func whatIsMissingIsSaidOnceWithTheCure() throws {
        let inner = try address(of: "inner")
        let used = try image(program, path: "/app/prog")
        var unused = used
        unused.imageAddress = HexAddress(0x7000_0000_0000)
        let input = event([frame(inner), frame(inner + 1, .cfi), frame(0x1_0000_0000, .scan)], images: [used, unused])
        let result = Symbolicator(finder: ImageFinder(useSystem: false)).symbolicate(input)
        #expect(result.threads[0].frames.map(\.status) == [.missingImage, .missingImage, .noModule])
        #expect(result.threads[0].frames[0].module == "prog" && result.threads[0].frames[0].function == nil)
        #expect(result.debugImages.map(\.status) == [.missing, .unused])
        let loss = result.loss.filter { $0.what.hasPrefix("symbols of ") }
        #expect(loss.count == 2)
        #expect(loss[0].what.contains("prog (build id") && loss[0].why.contains("vaka upload debug"))
        #expect(loss[1].why.contains("in no image"))
    }

    @Test func lateSymbolsMendTheSameEvent() throws {
        let inner = try address(of: "inner")
        let input = event([frame(inner)], images: [try image(program, path: "/app/prog")])
        let before = Symbolicator(finder: ImageFinder(useSystem: false)).symbolicate(input)
        let mending = Symbolicator(finder: ImageFinder(symbolPaths: [folder.path], useSystem: false))
        let after = mending.symbolicate(before)
        #expect(after.threads[0].frames.map(\.function) == ["half", "inner"])
        #expect(after.debugImages[0].status == .found && after.debugImages[0].source == "symbols folder \(folder.path)")
        #expect(after.loss.isEmpty)
        #expect(mending.symbolicate(after) == after, "doing it again changes nothing")
        let again = Symbolicator(finder: ImageFinder(useSystem: false)).symbolicate(after)
        #expect(again.threads[0].frames == after.threads[0].frames, "names stay where the files are gone")
    }

    @Test func strippedFilesGiveNamesAndTheirCompanionLines() throws {
        let inner = try address(of: "inner")
        let debug = program + ".debug"
        try CompiledProgram.tool("objcopy", ["--only-keep-debug", program, debug])
        try CompiledProgram.tool("strip", ["-g", program])
        let input = event([frame(inner)], images: [try image(program)])
        let names = Symbolicator(finder: ImageFinder()).symbolicate(input)
        #expect(names.threads[0].frames.map(\.function) == ["inner"])
        #expect(names.threads[0].frames[0].status == .noDebugInfo && names.threads[0].frames[0].line == nil)
        #expect(names.loss.first?.why.contains("no debug information") == true)
        try CompiledProgram.tool("strip", ["-s", program])
        let lines = Symbolicator(finder: ImageFinder(symbolPaths: [debug])).symbolicate(input)
        #expect(lines.threads[0].frames.map(\.line) == [3, 6])
        #expect(lines.loss.isEmpty)
    }

    @Test func nonPIEWithoutBuildIDIsMatchedByPathAndSaysSo() throws {
        let fixed = try CompiledProgram.build(
            "fixed", source: Self.source, extension: "c", compiler: "gcc",
            flags: ["-O2", "-g", "-no-pie", "-Wl,--build-id=none"], in: folder)
        let identity = try ELFIdentifier.identify(path: fixed)
        let inner = try address(of: "inner", in: fixed)
        let image = DebugImage(
            buildID: nil, codeFile: fixed, imageAddress: HexAddress(identity.firstLoadAddress),
            imageSize: identity.loadedSize)
        let input = event([Frame(instructionAddress: HexAddress(inner), trust: .context)], images: [image])
        let result = Symbolicator(finder: ImageFinder()).symbolicate(input)
        #expect(result.threads[0].frames.map(\.function) == ["half", "inner"])
        #expect(result.loss.first?.why.contains("no build id") == true)
    }

    /// As Fedora ships its libraries: stripped, with the names of local functions packed into a section.
    @Test func packedSymbolTablesNameLocalFunctions() throws {
        let inner = try address(of: "inner")
        let image = try image(program)
        let packed = program + ".names"
        try CompiledProgram.tool("objcopy", ["-S", "--keep-symbol=inner", "--keep-symbol=outer", program, packed])
        try CompiledProgram.tool("objcopy", ["--only-keep-debug", packed])
        try CompiledProgram.tool("strip", ["-s", program])
        try CompiledProgram.tool("xz", [packed])
        try CompiledProgram.tool("objcopy", ["--add-section", ".gnu_debugdata=\(packed).xz", program])
        let file = try DebugFile(path: program)
        #expect(file.symbol(at: inner) == "inner" && file.hasSymbols)
        let frames = Symbolicator(finder: ImageFinder()).symbolicate(event([frame(inner)], images: [image])).threads[0]
            .frames
        #expect(frames.map(\.function) == ["inner"] && frames[0].status == .noDebugInfo)
        #expect(ImageCheck(path: program).items.first { $0.name == "symbols" }?.state == .ok)
        try CompiledProgram.tool("objcopy", ["--update-section", ".gnu_debugdata=\(program).c", program])
        #expect(try DebugFile(path: program).symbol(at: inner) == nil, "what is no xz stream names nothing")
    }

    @Test func errorsAreNamedToo() throws {
        let inner = try address(of: "inner")
        var input = event([], images: [try image(program)])
        input.errors = [ReportedError(type: "Failure", message: nil, frames: [frame(inner + 1, .framePointer)])]
        let result = Symbolicator(finder: ImageFinder()).symbolicate(input)
        #expect(result.errors[0].frames.last?.function == "inner")
        #expect(result.debugImages[0].status == .found)
    }
}
