// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import TestSupport
import Testing
import VakaModel

@testable import CrashRecord

@Suite struct RunFileTests {
    private static let exchangeBytes = Int(VAKA_EXCHANGE_SLOTS * VAKA_EXCHANGE_SLOT_BYTES)

    private func bytes() -> [UInt8] { SampleRunFile().bytes }

    @Test func aRunThatEndedWithoutARecordStillTells() throws {
        let run = try RunFile(bytes: bytes())
        #expect(run.runID == "65666768696a6b6c6d6e6f7071727374")
        #expect(run.context.release == "shop@1.2.3")
        #expect(run.breadcrumbs.map(\.message) == ["oldest", "newest"])
        #expect(run.session?.id == "5e55")
        #expect(run.figures?.resident == 5 << 20 && run.figures?.swapped == nil)
        #expect(run.lastSeen == run.figures?.taken)
    }

    @Test func figuresHalfWrittenAreNotTaken() throws {
        for offset in [0, 8, 70, 124] {
            var torn = bytes()
            torn[torn.count - Self.exchangeBytes - Int(VAKA_FIGURES_BYTES) + offset] ^= 1
            let run = try RunFile(bytes: torn)
            #expect(run.figures == nil)
            #expect(run.lastSeen == run.breadcrumbs.last?.timestamp)
        }
    }

    @Test func aFileOfAnEarlierVersionHasNoFigures() throws {
        let run = try RunFile(bytes: bytes().dropLast(Self.exchangeBytes + 2 * Int(VAKA_FIGURES_BYTES)))
        #expect(run.figures == nil && run.breadcrumbs.count == 2)
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

    @Test func aTornExchangeIsCountedAndTheOthersRead() throws {
        let torn = SampleRunFile.withATornExchange
        let run = try RunFile(bytes: torn)
        #expect(run.network?.exchanges.map(\.url) == ["http://h/whole"] && run.tornExchanges == 1)
        #expect(try RunFile(bytes: bytes()).tornExchanges == 0)
        // A slot that was begun and has no order yet.
        var begun = bytes()
        begun[begun.count - Self.exchangeBytes + (MemoryLayout<vaka_exchange>.offset(of: \.bytes) ?? 0)] = 7
        #expect(try RunFile(bytes: begun).tornExchanges == 1)
    }
}
