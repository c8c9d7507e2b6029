// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// What is accepted waits in the journal; a copy of the folder while the store is open is what a kill -9 leaves.
struct JournalTests {
    private final class Told: Sendable {
        let lines = Monitor<[String]>([])
        func tell(_ line: String) { lines.update { $0.append(line) } }
    }

    private final class Fixture {
        let folder: TemporaryFolder
        let told = Told()
        let store: SQLEventStore
        let project: Int64

        init() throws {
            folder = try TemporaryFolder()
            store = try SQLEventStore(path: folder.path + "/vaka.db", journal: .own(tell: told.tell))
            project = try store.createProject(slug: "default", credentials: []).id
        }

        deinit { store.close() }

        func accept(_ ids: [String], kind: String = "event", bytes: Int = 100, sequence: Int64? = nil) throws {
            let entries = ids.map { id in
                SpoolEntry(kind: kind, itemID: id, payload: JournalTests.payload(id, bytes), installID: "install")
            }
            try store.accept(
                entries, project: project, from: sequence.map { BatchOrigin(installID: "install", sequence: $0) })
        }

        /// What a process that ends now would leave.
        func image() throws -> TemporaryFolder {
            let image = try TemporaryFolder()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: image.path + "/" + name)
            }
            return image
        }
    }

    private static func payload(_ id: String, _ bytes: Int) -> Data {
        var text = Data(id.utf8)
        while text.count < bytes { text.append(UInt8(truncatingIfNeeded: text.count &* 31)) }
        return text
    }

    private static func segments(_ folder: TemporaryFolder) throws -> [String] {
        let path = folder.path + "/vaka.db-spool"
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("segment-") }.sorted()
            .map { path + "/" + $0 }
    }

    /// The ids of all that waits, in their order; each is removed.
    private static func drain(_ store: SQLEventStore) throws -> [String] {
        var ids: [String] = []
        while case let items = try store.claimSpoolItems(most: 100, bytes: .max), !items.isEmpty {
            for item in items {
                #expect(item.entry.payload.starts(with: Data(item.entry.itemID.utf8)))
                ids.append(item.entry.itemID)
                try store.keep(item)
            }
        }
        return ids
    }

    private static func open(_ image: TemporaryFolder, _ told: Told = Told()) throws -> SQLEventStore {
        try SQLEventStore(path: image.path + "/vaka.db", journal: .own(tell: told.tell))
    }

    @Test func `what was accepted is worked on in its order, whoever left it`() throws {
        let fixture = try Fixture()
        try fixture.accept(["a", "b"], sequence: 1)
        try fixture.accept(["c", "a"], sequence: 2)
        #expect(fixture.store.journal?.waiting.items == 4)
        #expect(try fixture.store.spoolState().items == 4, "what came twice is known when it is sorted in")
        #expect(try fixture.store.spoolState().oldest != nil)
        let image = try fixture.image()
        #expect(try Self.drain(fixture.store) == ["a", "b", "c"])
        #expect(try fixture.store.spoolState().items == 0 && fixture.store.spoolBytes == 0)
        try fixture.accept(["b"], sequence: 3)
        #expect(try Self.drain(fixture.store) == [])
        #expect(try fixture.store.spoolState().items == 0 && fixture.store.spoolBytes == 0)

        let told = Told()
        let again = try Self.open(image, told)
        defer { again.close() }
        #expect(try again.spoolState().items == 3)
        let installation = try #require(
            try again.installations(project: fixture.project, after: nil, limit: 9).items.first)
        #expect(installation.received == [1...2] && installation.duplicates == 0)
        #expect(try Self.drain(again) == ["a", "b", "c"])
        #expect(told.lines.withLock { $0 } == [])
    }

    @Test func `nothing is taken twice, whenever it ends`() throws {
        let fixture = try Fixture()
        for round in 0..<7 {
            // Sessions are not known by their ids.
            try fixture.accept(["s\(round)"], kind: "session", sequence: Int64(round + 1))
            if round % 3 == 0 { try fixture.store.settle() }
            let again = try Self.open(try fixture.image())
            defer { again.close() }
            #expect(try Self.drain(again) == (0...round).map { "s\($0)" })
            let installation = try again.installations(project: fixture.project, after: nil, limit: 9).items.first
            #expect(installation?.duplicates == 0 && installation?.batches == Int64(round + 1))
        }
    }

    @Test func `a process that is not the server takes over what was left, and nothing of one that runs`() throws {
        let fixture = try Fixture()
        try fixture.accept(["a"])
        let beside = try SQLEventStore(path: fixture.folder.path + "/vaka.db")
        #expect(try beside.spoolState().items == 0)
        beside.close()
        let image = try fixture.image()
        let alone = try SQLEventStore(path: image.path + "/vaka.db")
        defer { alone.close() }
        #expect(try Self.drain(alone) == ["a"])
        #expect(try Self.segments(image) == [])
        #expect(try Self.drain(fixture.store) == ["a"])
    }

    @Test func `a copy of the database has what waits`() throws {
        let fixture = try Fixture()
        try fixture.accept(["a"])
        try fixture.store.settle()
        try fixture.accept(["b"])
        let target = try TemporaryFolder()
        try DatabaseCopy.make(of: fixture.folder.path + "/vaka.db", at: target.path + "/vaka.db")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["vaka.db"])
        let head = try [UInt8](Data(contentsOf: URL(filePath: target.path + "/vaka.db")).prefix(20))
        #expect(head[18...19] == [1, 1], "it can be read where nothing can be written")
        let copy = try SQLEventStore(path: target.path + "/vaka.db")
        defer { copy.close() }
        #expect(try Self.drain(copy) == ["a", "b"])
        #expect(try Self.drain(fixture.store) == ["a", "b"])
    }

    @Test func `segments are used again, and no more of them kept than are needed`() throws {
        let fixture = try Fixture()
        var expected: [String] = []
        for round in 0..<3 {
            for index in 0..<24 {
                expected.append("\(round)-\(index)")
                try fixture.accept([expected[expected.count - 1]], bytes: 700_000)
            }
            let image = try fixture.image()
            #expect(try Self.segments(image).count > 1)
            let again = try Self.open(image)
            defer { again.close() }
            #expect(try Self.drain(again) == expected.suffix(24))
            #expect(try Self.drain(fixture.store) == expected.suffix(24))
        }
        let sizes = try Self.segments(fixture.folder).map { try Data(contentsOf: URL(filePath: $0)).count }
        #expect(sizes.reduce(0, +) <= 64 << 20)
        try fixture.accept(["large"], bytes: 40 << 20)
        #expect(try Self.drain(fixture.store) == ["large"])
    }

    /// A journal in which a batch of each item is, and its segment's bytes.
    private struct Segment {
        var bytes: [UInt8]
        let frame: Int

        init(_ ids: [String]) throws {
            let folder = try TemporaryFolder()
            let journal = try SpoolJournal(JournalFolder(of: folder.path + "/vaka.db"), from: .start) { _ in }
            for id in ids { try journal.append([Self.batch(id)]) }
            let path = try #require(try JournalTests.segments(folder).first)
            let whole = try [UInt8](Data(contentsOf: URL(filePath: path)))
            let end = try #require(whole.lastIndex { $0 != 0 }) + 1
            bytes = Array(whole[..<(end + 64)])
            frame = (end - JournalFrame.segmentHead) / ids.count
        }

        static func batch(_ id: String) -> JournalBatch {
            JournalBatch(
                project: 1, receivedAt: Timestamp(milliseconds: 5), origin: nil,
                entries: [SpoolEntry(kind: "event", itemID: id, payload: JournalTests.payload(id, 100))])
        }

        /// What the next process finds, and what is told of the rest.
        func read(in folder: TemporaryFolder, andAppend: Bool = false) throws -> (ids: [String], told: [String]) {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/vaka.db-spool", withIntermediateDirectories: true)
            let path = folder.path + "/vaka.db-spool/segment-1"
            try Data(bytes).write(to: URL(filePath: path))
            let told = Told()
            let journal = try SpoolJournal(
                JournalFolder(of: folder.path + "/vaka.db"), from: .start, tell: told.tell)
            var ids: [String] = []
            while let piece = try journal.next(bytes: 256) {
                ids += piece.batches.flatMap { $0.entries.map(\.itemID) }
                journal.taken(piece)
            }
            if andAppend {
                try journal.append([Self.batch("later")])
                #expect(try journal.next(bytes: 256)?.batches == [Self.batch("later")])
            }
            journal.removeAll()
            return (ids, told.lines.withLock { $0 })
        }
    }

    @Test func `a frame that was cut off is not one, and what stands before it is kept`() throws {
        let whole = try Segment(["a", "b"])
        let folder = try TemporaryFolder()
        let end = whole.bytes.count - 64
        for cut in (end - whole.frame)..<end {
            var torn = whole
            for index in cut..<end { torn.bytes[index] = 0 }
            guard torn.bytes != whole.bytes else { continue }
            let found = try torn.read(in: folder)
            #expect(found.ids == ["a"], "cut at \(cut)")
            #expect(found.told == [], "it was not acknowledged")
        }
    }

    @Test func `what is damaged is told, and costs nothing but itself`() throws {
        let ids = (0..<12).map { "item-\(10 + $0)" }
        let whole = try Segment(ids)
        let folder = try TemporaryFolder()
        var random = SystemRandomNumberGenerator()
        for number in 0..<11 {
            for _ in 0..<8 {
                var damaged = whole
                let place =
                    JournalFrame.segmentHead + number * whole.frame + Int.random(in: 0..<whole.frame, using: &random)
                damaged.bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                let found = try damaged.read(in: folder)
                #expect(found.ids == ids.filter { $0 != ids[number] }, "byte \(place)")
                #expect(found.told.count == 1, "byte \(place): \(found.told)")
            }
        }
    }

    @Test func `what a sender has made look like a frame is none`() throws {
        let folder = try TemporaryFolder()
        var made = JournalWriter()
        for number in 1..<20 as Range<UInt64> {
            JournalFrame.write(Segment.batch("forged"), segment: .init(number: number, salt: 0), to: &made)
        }
        var whole = try Segment(["a", "b"])
        whole.bytes.replaceSubrange((whole.bytes.count - 64)..., with: made.bytes)
        #expect(try whole.read(in: folder).ids == ["a", "b"])
        // As if a frame of it had been cut off before.
        whole.bytes[JournalFrame.segmentHead + whole.frame] ^= 1
        #expect(try whole.read(in: folder).ids == ["a"])
    }

    @Test func `batches without items are taken, and what all came before keeps nobody waiting`() throws {
        let fixture = try Fixture()
        for number in 1..<4 as Range<Int64> { try fixture.accept([], sequence: number) }
        #expect(fixture.store.journal?.waiting.batches == 3)
        #expect(try fixture.store.claimSpoolItem() == nil)
        #expect(fixture.store.journal?.waiting == SpoolJournal.Waiting())
        let ids = (0..<4).map { "\($0)" }
        try fixture.accept(ids, bytes: 400_000)
        #expect(try Self.drain(fixture.store) == ids)
        for id in ids + ["new"] { try fixture.accept([id], bytes: 400_000) }
        #expect(try fixture.store.claimSpoolItem()?.entry.itemID == "new")
        #expect(try fixture.store.spoolState().items == 1)
    }

    @Test func `items that are held keep no others from being taken`() throws {
        let fixture = try Fixture()
        let ids = (0..<300).map { "\($0)" }
        for id in ids { try fixture.accept([id], bytes: 4000) }
        var held = 0
        while let item = try fixture.store.claimSpoolItem() {
            #expect(item.entry.itemID == ids[held])
            held += 1
        }
        #expect(held == ids.count)
        try fixture.accept(["later"])
        #expect(try fixture.store.claimSpoolItem()?.entry.itemID == "later")
    }

    @Test func `a closed journal takes nothing that it would lose`() throws {
        let folder = try TemporaryFolder()
        let journal = try SpoolJournal(JournalFolder(of: folder.path + "/vaka.db"), from: .start) { _ in }
        try journal.append([Segment.batch("a")])
        journal.close()
        #expect(throws: StoreError.self) { try journal.append([Segment.batch("b")]) }
    }

    @Test func `a segment that nobody has written is none`() throws {
        let whole = try Segment(["a", "b", "c"])
        let folder = try TemporaryFolder()
        var random = SystemRandomNumberGenerator()
        for round in 0..<120 {
            var wrong = whole
            switch round {
            case 0: wrong.bytes = []
            case 1: wrong.bytes = Array(whole.bytes.prefix(7))
            case 2: wrong.bytes[0] ^= 1
            default:
                for _ in 0..<round {
                    let place = Int.random(in: 0..<wrong.bytes.count, using: &random)
                    wrong.bytes[place] = .random(in: 0...255, using: &random)
                }
            }
            let found = try wrong.read(in: folder, andAppend: round < 5)
            #expect(found.ids.count <= 3)
            guard round == 2 else { continue }
            #expect(found.ids == [] && found.told.count == 1)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/vaka.db-spool/damaged-segment-1"))
        }
    }
}
