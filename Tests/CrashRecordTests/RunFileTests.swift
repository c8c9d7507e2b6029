// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import TestSupport
import Testing
import VakaModel

@testable import CrashRecord

@Suite struct RunFileTests {
    private func bytes() -> [UInt8] {
        let buffer = Int(VAKA_CONTEXT_BUFFER_BYTES)
        let context = SampleRecord.context(generation: 9, SampleRecord.currentContext)
        let ring = SampleRecord.breadcrumb(129, "newest") + SampleRecord.breadcrumb(2, "oldest")
        return SampleRecord.runHeader() + Array(repeating: 0, count: buffer)
            + context + Array(repeating: 0, count: buffer - context.count)
            + ring + Array(repeating: 0, count: Int(VAKA_BREADCRUMB_SLOTS * VAKA_BREADCRUMB_SLOT_BYTES) - ring.count)
    }

    @Test func aRunThatEndedWithoutARecordStillTells() throws {
        let run = try RunFile(bytes: bytes())
        #expect(run.runID == "65666768696a6b6c6d6e6f7071727374")
        #expect(run.context.release == "shop@1.2.3")
        #expect(run.breadcrumbs.map(\.message) == ["oldest", "newest"])
        #expect(run.session?.id == "5e55")
    }

    @Test func itTellsWhatWasHanging() throws {
        #expect(try RunFile(bytes: bytes()).hang == nil)
        var hanging = bytes()
        hanging.replaceSubrange(192..<200, with: RecordWriter.raw(UInt64(1_700_000_000_000_000_000)))
        hanging.replaceSubrange(216..<220, with: "main".utf8)
        let hang = try #require(try RunFile(bytes: hanging).hang)
        #expect(hang.watch == "main")
        #expect(hang.since.description == "2023-11-14T22:13:20.000Z")
        #expect(hang.eventID == nil)
        hanging.replaceSubrange(200..<216, with: (1...16).map { UInt8($0) })
        #expect(try RunFile(bytes: hanging).hang?.eventID == "0102030405060708090a0b0c0d0e0f10")
    }

    @Test func everyCutIsReadOrRefused() {
        let whole = bytes()
        for length in stride(from: 0, to: whole.count, by: 1021) {
            let run = try? RunFile(bytes: Array(whole.prefix(length)))
            #expect((run != nil) == (length >= Int(VAKA_RUN_HEADER_BYTES)))
        }
    }

    @Test func aTornSlotIsCountedAndTheOthersRead() throws {
        var torn = bytes()
        let ring = Int(VAKA_RUN_HEADER_BYTES + 2 * VAKA_CONTEXT_BUFFER_BYTES)
        torn[ring + 40] ^= 1
        let run = try RunFile(bytes: torn)
        #expect(run.breadcrumbs.map(\.message) == ["oldest"])
        #expect(run.tornBreadcrumbs == 1)
    }
}
