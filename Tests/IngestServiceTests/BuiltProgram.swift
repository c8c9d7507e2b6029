// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// A program that crashes, and where its functions lie.
struct BuiltProgram {
    var data: Data
    var buildID: BuildID
    var symbols: [String: UInt64]

    /// `padding` gives another build of the same source: other addresses, another build id.
    init(_ folder: TemporaryFolder, padding: String) throws {
        let source = """
            \(padding)
            volatile int sink;
            __attribute__((noinline)) int fail(int *p) {
                return *p;
            }
            int main(int count, char **words) {
                sink = fail((int *)(long)(count - 1));
                return sink;
            }
            """
        let path = try CompiledProgram.build(
            "program\(padding.utf8.count)", source: source, extension: "c", compiler: "gcc",
            flags: ["-g", "-O0", "-fno-inline"], in: folder)
        data = try Data(contentsOf: URL(filePath: path))
        let notes = try CompiledProgram.tool("readelf", ["-n", path])
        buildID = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/).flatMap { BuildID(hex: $0.1) })
        symbols = [:]
        for line in try CompiledProgram.tool("nm", [path]).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 3, let address = UInt64(parts[0], radix: 16) { symbols[String(parts[2])] = address }
        }
    }

    /// A crash in `fail`, called by `main`, as the handler leaves it: addresses only.
    func crash(_ number: Int, base: UInt64 = 0x5555_5555_4000) throws -> Event {
        var event = Samples.crash(number)
        let places = [try #require(symbols["fail"]) + 8, try #require(symbols["main"]) + 20]
        event.threads[0].frames = places.enumerated().map { index, offset in
            Frame(
                instructionAddress: HexAddress(base + offset), trust: index == 0 ? .context : .cfi,
                module: "program",
                buildID: buildID, relativeAddress: HexAddress(offset))
        }
        event.debugImages = [
            DebugImage(
                buildID: buildID, codeFile: "/srv/nowhere/program", imageAddress: HexAddress(base),
                imageSize: 0x5000,
                loadBias: HexAddress(base))
        ]
        return event
    }
}
