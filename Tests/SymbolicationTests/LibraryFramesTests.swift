// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing
import VakaModel

/// Library code and the compiler's own in a program's image, told from what the program has written.
@Suite struct LibraryFramesTests {
    private static let source = """
        struct Order { var name: String; var prices: [Int] }
        extension Array where Element == Int {
            @inline(never) func total() -> Int {
                var sum = 0
                for price in self { sum += price }
                return sum / count
            }
        }
        extension Dictionary where Key == String {
            @inline(never) func value(_ name: String) -> Value { self[name]! }
        }
        @inline(never) func show(_ orders: [Order]) -> Any { orders.sorted { $0.prices.total() < $1.prices.total() } }
        let names = ["a": Order(name: "a", prices: [1, 2])]
        print(show([names.value("a"), names.value("a")]))

        """

    @Test func theProgramsOwnFramesAreToldFromTheLibraries() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "orders", source: Self.source, extension: "swift", compiler: "swiftc", flags: ["-O", "-g"], in: folder)
        let identity = try ELFIdentifier.identify(path: program)
        let symbols = try CompiledProgram.tool("nm", [program]).split(separator: "\n").compactMap { line -> UInt64? in
            let parts = line.split(separator: " ")
            return parts.count == 3 && parts[1].lowercased() == "t" ? UInt64(parts[0], radix: 16) : nil
        }
        var event = Event(
            eventID: String(repeating: "0", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal, arch: "x86_64")
        event.threads = [
            ThreadState(
                id: 1, crashed: true, frames: symbols.map { Frame(instructionAddress: HexAddress($0), trust: .context) }
            )
        ]
        event.debugImages = [
            DebugImage(
                buildID: identity.buildID, codeFile: program, imageAddress: HexAddress(identity.firstLoadAddress),
                imageSize: identity.loadedSize)
        ]
        let frames = Symbolicator(finder: ImageFinder(), options: .init(unwinds: false)).symbolicate(event)
            .threads[0].frames
        func isInApp(_ function: String) throws -> Bool? {
            let found = frames.filter { $0.function?.hasPrefix(function) == true && !$0.inlined }
            _ = try #require(found.first, "no \(function) in \(frames.compactMap(\.function).sorted())")
            return Set(found.map(\.inApp)).count == 1 ? found[0].inApp : nil
        }
        // Extensions of the library's types are the program's own.
        #expect(try isInApp("Array<A>.total()") == true)
        #expect(try isInApp("Dictionary<>.value(_:)") == true)
        #expect(try isInApp("show(_:)") == true)
        #expect(try isInApp("UnsafeMutableBufferPointer") == false)
        #expect(try isInApp("destroy for Order") == false)
        #expect(frames.allSatisfy { $0.file != nil || $0.line == nil })
        #expect(frames.allSatisfy { $0.file?.contains("compiler-generated") != true })
    }
}
