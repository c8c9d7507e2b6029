// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@Suite struct InspectTests {
    @Test func everySectionIsShown() throws {
        let folder = try TemporaryFolder()
        let record = try folder.file("whole.vakacrash", SampleRecord.bytes())
        let result = try vaka("inspect", record)
        #expect(result.status == .exited(0))
        for word in [
            "reason", "SIGILL, ILL_ILLOPN", "tag.flavor = free", "rip = 0x", "64 bytes at 0x7ffc00001000", "end",
        ] {
            #expect(result.output.contains(word), "\(word)")
        }
    }

    @Test func damageIsShownAndTheRestToo() throws {
        let folder = try TemporaryFolder()
        var bytes = SampleRecord.bytes()
        bytes[120] ^= 1
        let result = try vaka("inspect", try folder.file("damaged.vakacrash", bytes))
        #expect(result.status == .exited(0))
        #expect(result.output.contains("damage: "))
        #expect(result.output.contains("section \"reason\" does not match its checksum"))
        #expect(result.output.contains("thread 42 \"main\", crashed"))
    }

    @Test func machinesReadItAsJSON() throws {
        let folder = try TemporaryFolder()
        let result = try vaka("inspect", "--format", "json", try folder.file("r.vakacrash", SampleRecord.bytes()))
        let document = try ModelCoding.decode(JSONValue.self, from: result.outputData)
        #expect(document["complete"] == true)
        #expect(document["record_id"] == "0102030405060708090a0b0c0d0e0f10")
    }

    @Test func whatIsNoReportIsRefusedAndTheOthersAreShown() throws {
        let folder = try TemporaryFolder()
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            [
                "inspect", try folder.file("text", Array("hello".utf8)), "/bin/ls",
                try folder.file("other.vakacrash", RecordWriter(architecture: 243).bytes), folder.path + "/missing",
                try folder.file("empty.vakacrash", Array(repeating: 0, count: 4096)),
                try folder.file("good.vakacrash", SampleRecord.bytes()),
                try folder.file("bad.json", Array("{\"event_id\": 3}".utf8)),
            ])
        #expect(result.status == .exited(1))
        #expect(result.output.contains("good.vakacrash"))
        for word in [
            "text: no crash record", "/bin/ls: an ELF file that is no core", "machine with ELF number 243",
            "missing: cannot be read: No such file or directory", "allocated for a crash that did not come",
            "bad.json: no event document", "6 of 7 failed",
        ] {
            #expect(result.errors.contains(word), "\(word): \(result.errors)")
        }
    }

    /// A crashed program's text cannot steer the reader's terminal.
    @Test func hostileTextIsShownHarmlessly() throws {
        let folder = try TemporaryFolder()
        var writer = RecordWriter()
        writer.add(VAKA_SECTION_REASON, SampleRecord.reason())
        writer.add(VAKA_SECTION_TEXT, SampleRecord.text(VAKA_TEXT_HOST, "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}text"))
        writer.end()
        let result = try vaka(
            "symbolicate", "--no-system", try folder.file("hostile.vakacrash", writer.bytes),
            environment: ["NO_COLOR": "1"])
        #expect(result.status == .exited(0))
        #expect(!result.output.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{7}" || $0 == "\u{202e}" })
    }

    @Test func aRecordMayComeFromAPipe() throws {
        let folder = try TemporaryFolder()
        let record = try folder.file("r.vakacrash", SampleRecord.bytes())
        let piped = try ChildProcess.run(
            "/bin/sh", ["-c", "cat \"$2\" | \"$1\" inspect /dev/fd/0", "sh", BuildProducts.executable("vaka"), record])
        #expect(piped.status == .exited(0))
        #expect(piped.output.contains("thread 42 \"main\", crashed"))
    }

    @Test func aFileOfManyGigabytesIsNotReadWhole() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("sparse.vakacrash", [1])
        #expect(truncate(file, 1 << 40) == 0)
        let result = try ChildProcess.run(
            "/bin/sh", ["-c", "ulimit -v 4000000; \"$1\" inspect \"$2\"", "sh", BuildProducts.executable("vaka"), file])
        #expect(result.status == .exited(1))
        #expect(result.errors.contains("a report has at most"))
    }

    /// A report is a stranger's text: nothing in it is for the terminal to obey.
    @Test(arguments: ["symbolicate", "inspect"])
    func noReportSpeaksToTheTerminal(subcommand: String) throws {
        let folder = try TemporaryFolder()
        let frame = #"{"instruction_addr":"0x1","trust":"X","notes":["X"],"module":"X","function":"X","file":"X"}"#
        let event = #"""
            {"schema_version":1,"event_id":"00000000000000000000000000000001","type":"X","level":"X","platform":"linux",
             "timestamp":"2026-01-31T12:00:00.000Z","arch":"X","release":"X","environment":"X","tags":{"X":"X"},
             "reason":{"signal":"X","code":"X","exception":"X","message":"X","message_source":"X"},
             "errors":[{"type":"X","message":"X","frames":[]}],"contexts":{"process":{"name":"X"}},
             "threads":[{"id":1,"name":"X","crashed":true,"frames":[\#(frame)]}],"loss":[{"what":"X","why":"X"}]}
            """#
        let hostile = event.replacing("X", with: "X\\u001b[31m")
        let result = try vaka(subcommand, try folder.file("hostile.json", Array(hostile.utf8)))
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output.contains("[31m"))
        #expect(!result.output.contains("\u{1b}"))
    }

    @Test func aRecordDoesNotSpeakToTheTerminal() throws {
        let folder = try TemporaryFolder()
        let result = try vaka("inspect", try folder.file("r.vakacrash", SampleRecord.bytes(text: "\u{1b}[31mred")))
        #expect(result.status == .exited(0))
        #expect(result.output.contains("[31mred"))
        #expect(!result.output.contains("\u{1b}"))
    }
}
