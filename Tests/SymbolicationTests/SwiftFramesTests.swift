// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing
import VakaModel

/// Traps and async functions of a real optimised Swift program.
@Suite struct SwiftFramesTests {
    private static let source = """
        @inline(never) func pick(_ names: [String: Int], _ name: String) -> Int {
            let found = names[name]
            return found! + 1
        }
        @inline(never) func step(_ n: Int) async -> Int {
            await Task.yield()
            return pick(["a": n], "a")
        }
        @main struct Main {
            static func main() async {
                print(await step(CommandLine.arguments.count))
            }
        }

        """

    private let folder: TemporaryFolder
    private let program: String
    private let identity: ELFIdentity
    private let text: ELFSection

    init() throws {
        folder = try TemporaryFolder()
        program = try CompiledProgram.build(
            "trap", source: Self.source, extension: "swift", compiler: "swiftc",
            flags: ["-O", "-g", "-parse-as-library"],
            in: folder)
        identity = try ELFIdentifier.identify(path: program)
        text = try #require(try ELFFile(path: program).section(".text"))
    }

    private func event(_ linked: UInt64, _ trust: FrameTrust) -> Event {
        var event = Event(
            eventID: "0123456789abcdef0123456789abcdef", type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal,
            arch: "x86_64")
        event.threads = [
            ThreadState(id: 1, crashed: true, frames: [Frame(instructionAddress: HexAddress(linked), trust: trust)])
        ]
        event.debugImages = [
            DebugImage(
                buildID: identity.buildID, codeFile: program, imageAddress: HexAddress(identity.firstLoadAddress),
                imageSize: identity.loadedSize)
        ]
        event.reason = Reason(signal: "SIGILL", number: 4, code: "ILL_ILLOPN", exception: "EXC_BAD_INSTRUCTION")
        return event
    }

    @Test func theTrapsReasonAndTheUsersLine() throws {
        let file = try DebugFile(path: program)
        let trap = try #require(
            (text.address..<text.address + text.size).first { address in
                let levels = file.lookup(address: address)
                return levels.first?.symbol?.hasPrefix("Swift runtime failure: Unexpectedly found nil") == true
                    && levels.contains { $0.symbol?.contains("pick") == true }
            })
        let result = Symbolicator(finder: ImageFinder()).symbolicate(event(trap, .context))
        let frames = result.threads[0].frames
        #expect(frames.contains { $0.function == "pick(_:_:)" && $0.line == 2 })
        #expect(frames.first?.file?.hasSuffix("trap.swift") == true && frames.first?.line == 3)
        #expect(frames.first?.notes.contains { $0.hasPrefix("swift_runtime_failure: Unexpectedly found nil") } == true)
        // The copy of the library's function has its name, and is not the program's own although its line is.
        let copy = try #require(frames.first)
        #expect(copy.function == "Dictionary.subscript.getter" && copy.notes.contains("specialised"))
        #expect(copy.inApp == false && frames.last?.inApp == true)
        #expect(result.reason?.message == "Unexpectedly found nil while unwrapping an Optional value")
        #expect(result.reason?.messageSource == .dwarf)
        #expect(result.reason?.exception == "EXC_BREAKPOINT")
    }

    @Test func aBetterMessageStays() throws {
        let file = try DebugFile(path: program)
        let trap = try #require(
            (text.address..<text.address + text.size).first { address in
                file.lookup(address: address).first?.symbol?.hasPrefix("Swift runtime failure: ") == true
            })
        var input = event(trap, .context)
        input.reason?.message = "from the program"
        input.reason?.messageSource = .host
        let reason = Symbolicator(finder: ImageFinder()).symbolicate(input).reason
        #expect(reason?.message == "from the program" && reason?.messageSource == .host)
    }

    @Test func partsOfAsyncFunctionsCarryTheirName() throws {
        let line = try CompiledProgram.tool("nm", [program]).split(separator: "\n").first {
            $0.contains("4step") && $0.contains("YaFT") && $0.hasSuffix("_")
        }
        let address = try #require(line.flatMap { UInt64($0.split(separator: " ")[0], radix: 16) })
        let frame = Symbolicator(finder: ImageFinder()).symbolicate(event(address, .async)).threads[0].frames.last
        #expect(frame?.function == "step(_:)")
        #expect(frame?.notes.contains("await_resume") == true)
        #expect(frame?.symbol?.contains("4step") == true)
    }

    /// Who awaits stands behind the function that they wait for; the executor that runs the task behind them all.
    @Test func awaitingCallersFollowTheirFunction() throws {
        let names = try CompiledProgram.tool("nm", [program]).split(separator: "\n")
        func address(_ matches: (Substring) -> Bool) throws -> HexAddress {
            let found = names.first(where: matches)
            let line = try #require(found)
            return HexAddress(try #require(UInt64(line.split(separator: " ")[0], radix: 16)))
        }
        let step = try address { $0.contains("4step") && $0.contains("YaFT") && $0.hasSuffix("_") }
        let main = try address { $0.contains("4MainV4mainyyYaFZT") && $0.hasSuffix("_") }
        var input = event(0, .context)
        let pick = try address {
            $0.contains("4pick") && $0.contains(" t ") || $0.contains("4pick") && $0.contains(" T ")
        }
        input.threads[0].frames = [
            Frame(instructionAddress: pick, trust: .context),
            Frame(instructionAddress: HexAddress(step.rawValue + 1), trust: .cfi, notes: [Frame.interrupted]),
            Frame(instructionAddress: HexAddress(1), trust: .cfi), Frame(instructionAddress: main, trust: .async),
        ]
        let symbolicator = Symbolicator(finder: ImageFinder(), options: .init(unwinds: false))
        let result = symbolicator.symbolicate(input)
        let frames = result.threads[0].frames.filter { !$0.inlined }
        #expect(frames.map(\.function) == ["pick(_:_:)", "step(_:)", "static Main.main()", nil])
        #expect(symbolicator.symbolicate(result) == result, "once more changes nothing")
    }

    /// Compiler-generated code of a function has line 0; the nearest line of the same function stands in and says so.
    @Test func linesThatAreMissingAreReplacedAndMarked() throws {
        let file = try DebugFile(path: program)
        var replaced = 0
        for address in text.address..<text.address + text.size {
            let exact = file.lookup(address: address)
            guard exact.last?.symbol?.contains("4pick") == true else { continue }
            for (level, near) in zip(exact, file.lookup(address: address, nearestLines: true)) {
                #expect(level.symbol == near.symbol)
                guard near.notes == ["nearest_line"] else {
                    #expect(level == near)
                    continue
                }
                replaced += 1
                #expect(level.notes == ["compiler_generated"] && level.line == nil)
                #expect(near.file?.hasSuffix("trap.swift") == true && (1...4).contains(near.line ?? 0))
            }
        }
        #expect(replaced > 0)
    }
}
