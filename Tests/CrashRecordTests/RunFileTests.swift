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
