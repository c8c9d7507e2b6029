// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Files that ask for more than they should get end a child of the command, not the command.
@Suite struct ReadingLimitsTests {
    private let folder: TemporaryFolder
    private let costly: String
    private static let buildID = "0102030405060708090a0b0c0d0e0f1011121314"
    private static let little: [String: String?] = ["VAKA_READ_MEMORY": "320"]

    init() throws {
        folder = try TemporaryFolder()
        costly = folder.path + "/costly"
        try CostlyImage.write(to: costly, buildID: Self.buildID)
    }

    @Test func whereItMayTheFileIsRead() throws {
        let result = try vaka("check", costly)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output.contains(Self.buildID))
    }

    @Test func theOthersAreChecked() throws {
        let program = try program(buildID: Self.buildID)
        let result = try vaka("check", costly, program, costly, environment: Self.little)
        #expect(result.status == .exited(1))
        #expect(result.output.hasPrefix(program) && result.output.contains("unwind table"))
        #expect(result.errors.contains("2 of 3 failed") && result.errors.contains("\(costly): reading was given up"))
        #expect(result.errors.contains("VAKA_READ_MEMORY"))
        let json = try vaka("check", "--format", "json", costly, environment: Self.little)
        let answer = try ModelCoding.decode(JSONValue.self, from: json.outputData)
        #expect(answer["error"]?["code"] == "malformed")
    }

    @Test func aLookUpSaysWhatWasExceeded() throws {
        let result = try vaka("lookup", "--debug-file", costly, "0x1", environment: Self.little)
        #expect(result.status == .exited(1))
        #expect(result.errors.contains("\(costly): reading was given up") && result.errors.contains("320 MiB"))
    }

    /// An image that ends the child is left out, and told of; the frames of others have their names.
    @Test func aReportIsSymbolicatedWithoutTheImage() throws {
        let program = try program(buildID: String(Self.buildID.reversed()))
        let symbols = try CompiledProgram.tool("nm", [program]).split(separator: "\n")
        let main = try #require(symbols.first { $0.hasSuffix(" main") }?.split(separator: " ").first)
        let report = try folder.file("report.json", Array(try event(program, main: UInt64(main, radix: 16) ?? 0).utf8))
        let result = try vaka("symbolicate", "--format", "json", report, environment: Self.little)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.errors.contains("\(costly): reading was given up"))
        let event = try ModelCoding.decode(Event.self, from: result.outputData)
        #expect(event.threads[0].frames.map(\.function) == [nil, "main"])
        #expect(event.debugImages.map(\.status) == [.malformed, .found])
        #expect(event.loss.contains { $0.why.contains("is not read any more") }, "\(event.loss)")
    }

    @Test(arguments: ["VAKA_READ_MEMORY", "VAKA_READ_SECONDS"])
    func theLimitsMayBeRemoved(name: String) throws {
        #expect(try vaka("check", costly, environment: [name: "0"]).status == .exited(0))
        #expect(try vaka("check", costly, environment: [name: "much"]).status == .exited(2))
    }

    private func program(buildID: String) throws -> String {
        try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x\(buildID)"], in: folder)
    }

    /// A frame in the costly image, called by one in the program.
    private func event(_ program: String, main: UInt64) throws -> String {
        var event = Event(
            eventID: String(repeating: "1", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal, arch: "x86_64")
        let (costlyBase, base): (UInt64, UInt64) = (0x7000_0000_0000, 0x5555_5555_4000)
        event.debugImages = [
            DebugImage(
                buildID: BuildID(hex: Self.buildID), codeFile: costly, imageAddress: HexAddress(costlyBase),
                imageSize: 0x1000, loadBias: HexAddress(costlyBase)),
            DebugImage(
                buildID: BuildID(hex: String(Self.buildID.reversed())), codeFile: program,
                imageAddress: HexAddress(base), imageSize: 0x5000, loadBias: HexAddress(base)),
        ]
        let frames = [
            Frame(instructionAddress: HexAddress(costlyBase + 0x100), trust: .context),
            Frame(instructionAddress: HexAddress(base + main + 4), trust: .cfi),
        ]
        event.threads = [ThreadState(id: 1, crashed: true, frames: frames)]
        return String(decoding: try ModelCoding.encode(event), as: UTF8.self)
    }
}
