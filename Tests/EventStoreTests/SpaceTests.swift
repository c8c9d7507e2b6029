// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// What is given up for room, and that the room is given back.
struct SpaceTests {
    @Test(arguments: Backend.all) func `reports that came first go first, and nobody waits for their images any more`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...4 { try fixture.add("e\(number)", keys: ["F1"], waiting: ["aa"], time: Int64(number)) }
        #expect(try fixture.store.giveUpReports(limit: 9, bytes: 1) == 1, "one brings a byte")
        #expect(try fixture.store.giveUpReports(limit: 2, bytes: 1 << 20) == 2)
        let states = try (1...4).map { try fixture.store.event(project: 1, id: "e\($0)")?.summary.memory }
        #expect(states == [.givenUp, .givenUp, .givenUp, .kept])
        #expect(try fixture.upload("aa") == 1)
        #expect(try fixture.store.giveUpReports(limit: 3, bytes: 1 << 20) == 1)
        #expect(try fixture.store.giveUpReports(limit: 3, bytes: 1 << 20) == 0)
    }

    @Test(arguments: Backend.all) func `of attachments the data goes, not that there were some`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        for number in 1...2 {
            try fixture.accept("e1-attachment-\(number)", kind: "attachment")
            let item = try #require(try fixture.store.claimSpoolItem())
            try fixture.store.complete(
                attachment: EventAttachment(eventID: "e1", name: "log", size: 3, data: Data("abc".utf8)),
                number: number, sequence: item.sequence, project: 1)
        }
        #expect(try fixture.store.giveUpAttachments(limit: 1, bytes: 1 << 20) == 1)
        let kept = try fixture.store.attachments(project: 1, event: "e1")
        #expect(kept.map(\.kept) == [0, 3])
        #expect(kept[0].attachment.missing?.contains("disk budget") == true && kept[0].attachment.size == 3)
        #expect(try fixture.store.giveUpAttachments(limit: 9, bytes: 1 << 20) == 1)
        #expect(try fixture.store.giveUpAttachments(limit: 9, bytes: 1 << 20) == 0)
    }

    @Test func `unused pages go back to the file system`() throws {
        let fixture = try StoreFixture()
        let entry = SpoolEntry(kind: "track", itemID: "t", payload: Data(repeating: 7, count: 1 << 20))
        try fixture.store.accept([entry], project: 1, from: nil)
        let full = try fixture.store.size()
        try fixture.store.keep(try #require(try fixture.store.claimSpoolItem()))
        let tomorrow = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_000)
        #expect(try fixture.store.forget(.otherItems(before: tomorrow, project: 1), limit: 9) == 1)
        let unused = try fixture.store.size()
        #expect(unused.unused > 1 << 20)
        #expect(try fixture.store.shrink(pages: 10))
        #expect(try fixture.store.size().all == unused.all - 10 * 4096, "a step gives back what it was asked to")
        while try fixture.store.shrink(pages: 100) {}
        let after = try fixture.store.size()
        #expect(after.unused == 0 && after.all < full.all)
    }

    @Test func `memory that was freed is given back though something younger lives`() throws {
        func resident() throws -> Int {
            let line = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("VmRSS:") }
            return try #require(line.flatMap { Int($0.filter(\.isNumber)) })
        }
        let fixture = try StoreFixture()
        let blocks = (0..<131_072).map { _ in
            let block = UnsafeMutableRawPointer.allocate(byteCount: 2048, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 1, count: 2048)
            return block
        }
        for block in blocks.dropLast() { block.deallocate() }
        let before = try resident()
        fixture.store.giveBackMemory()
        let after = try resident()
        blocks.last?.deallocate()
        #expect(before - after > 100 << 10, "KiB, of 256 MiB: \(before), \(after)")
    }
}
