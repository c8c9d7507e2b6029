// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct SealingTests {
    /// A crash whose memory waits for an image.
    private func crash(_ number: Int) -> Event {
        var event = Samples.crash(number)
        event.threads[0].frames[0].symbol = nil
        event.threads[0].frames[0].function = nil
        event.threads[0].frames[0].status = .missingImage
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(0x7ffd_0000_0000),
            data: Data("zq7k-memory-of-a-stack-".utf8) + Data(repeating: 7, count: 41))
        return event
    }

    private func reports(_ server: ServerProcess) throws -> [Data] {
        let connection = try SQLConnection(path: server.folder.path + "/data/vaka.db", readOnly: true)
        defer { connection.close() }
        return try connection.query("SELECT payload FROM event_reports ORDER BY event_row") { $0.data(0) }
    }

    private func key(_ folder: TemporaryFolder, _ name: String, _ contents: Data, mode: mode_t = 0o600) throws -> String
    {
        let path = folder.path + "/" + name
        try contents.write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    @Test func `captured memory is sealed where it is kept, and read with the key only`() throws {
        let folder = try TemporaryFolder()
        let keys = try TemporaryFolder()
        let right = try key(keys, "right", Data(repeating: 7, count: 32))
        var server: ServerProcess? = try ServerProcess(folder: folder)
        // Before there was a key: as it came.
        #expect(try server?.accepted(try Samples.batch(crash(1))).accepted == 1)
        _ = try server?.event(1)
        server?.process.kill(SIGTERM)
        _ = try server?.process.wait()
        server = try ServerProcess(["--key-file", right], folder: folder)
        let running = try #require(server)
        #expect(try running.accepted(try Samples.batch(crash(2))).accepted == 1)
        _ = try running.event(2)
        let kept = try reports(running)
        #expect(kept.count == 2)
        let stack = Data("zq7k-memory-of-a-stack".utf8).base64EncodedData().prefix(24)
        #expect(try Zstandard.decompress(kept[0]).firstRange(of: stack) != nil)
        #expect(kept[1].starts(with: Data("VKS1".utf8)))
        #expect(throws: (any Error).self) { try Zstandard.decompress(kept[1]) }
        try Secrets.prepare()
        let opened = try #require(try KeyFile(path: right).open(kept[1]))
        #expect(try Zstandard.decompress(opened).firstRange(of: stack) != nil)
        let head = try running.get("events/\(Samples.eventID(2))").headers
        #expect(head["vaka-memory"] == "kept")
        running.process.kill(SIGTERM)
        _ = try running.process.wait()

        let hex = try key(keys, "hex", Data((String(repeating: "07", count: 32) + "\n").utf8))
        let other = try key(keys, "other", Data(repeating: 8, count: 32))
        let open = try key(keys, "open", Data(repeating: 7, count: 32), mode: 0o644)
        let short = try key(keys, "short", Data(repeating: 7, count: 31))
        func start(_ arguments: [String]) throws -> ChildProcess.Result {
            try ChildProcess.run(
                BuildProducts.executable("vaka-server"),
                ["--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--no-system"] + arguments)
        }
        for arguments in [
            [], ["--key-file", other], ["--key-file", open], ["--key-file", short], ["--key-file", "/none"],
        ] {
            let refused = try start(arguments)
            #expect(refused.status == .exited(1), "\(arguments)")
            #expect(refused.errors.contains("key file"), "\(refused.errors)")
        }
        let again = try ServerProcess(["--key-file", hex], folder: folder)
        _ = try again.event(2)
    }

    private func attachment(_ number: Int, _ data: Data) -> String {
        "{\"kind\":\"attachment\",\"id\":\"\(Samples.eventID(number))-1\",\"payload\":{\"event_id\":\"\(Samples.eventID(number))\","
            + "\"name\":\"log.txt\",\"size\":\(data.count),\"offset\":0,\"data\":\"\(data.base64EncodedString())\"}}"
    }

    /// Those that came before the key stay as they are; one of them looks as if it were sealed.
    @Test(arguments: [false, true]) func `attachments are sealed where they are kept, and given out whole`(
        inPostgres: Bool
    ) throws {
        let database = inPostgres ? try PostgresTestDatabase() : nil
        let store = database.map { ["--store", $0.address] } ?? []
        let folder = try TemporaryFolder()
        let keys = try TemporaryFolder()
        let path = try key(keys, "key", Data(repeating: 7, count: 32))
        let old = Data("VKS1 zq7k was here before, see ORD-99".utf8)
        let new = Data("zq7k came with the key, see ORD-99".utf8)
        func send(_ number: Int, _ data: Data, to server: ServerProcess) throws {
            let items = [try Samples.item(Samples.crash(number)), attachment(number, data)]
            #expect(try server.accepted(Samples.batch(items)).accepted == 2)
            try server.eventually { try kept(number, server) == data.count ? true : nil }
        }
        func kept(_ number: Int, _ server: ServerProcess) throws -> Int? {
            let list = try server.json("events/\(Samples.eventID(number))/attachments")["attachments"]?.array
            guard case .integer(let bytes)? = list?.first?["kept"] else { return nil }
            return Int(bytes)
        }
        func contents(_ number: Int, _ server: ServerProcess) throws -> Data {
            try server.get("events/\(Samples.eventID(number))/attachments/1").body
        }
        func rows() throws -> [Data] {
            if let database {
                let texts = try database.server.run(
                    "SELECT translate(encode(data, 'base64'), chr(10), '') FROM attachments ORDER BY rowid",
                    in: database.name)
                return texts.compactMap { Data(base64Encoded: $0) }
            }
            let connection = try SQLConnection(path: folder.path + "/data/vaka.db", readOnly: true)
            defer { connection.close() }
            return try connection.query("SELECT data FROM attachments ORDER BY rowid") { $0.data(0) }
        }
        let first = try ServerProcess(store, folder: folder)
        try send(1, old, to: first)
        first.process.kill(SIGTERM)
        _ = try first.process.wait()
        let second = try ServerProcess(store + ["--key-file", path], folder: folder)
        try send(2, new, to: second)
        #expect(try rows()[0] == old)
        #expect(try rows()[1].starts(with: Data("VKS1".utf8)) && rows()[1].firstRange(of: Data("zq7k".utf8)) == nil)
        #expect(try contents(1, second) == old && contents(2, second) == new)

        // By the command, which has no key, what is sealed stays; by the service it is opened and sealed again.
        _ = try second.made(
            "PUT", "/projects/default/scrubbing", ["rules": [["name": "order", "pattern": "ORD-[0-9]+"]]])
        let place = inPostgres ? store : ["--data", folder.path + "/data"]
        let command = try ChildProcess.run(BuildProducts.executable("vaka"), ["admin", "data", "scrub"] + place)
        #expect(command.status == .exited(0), "\(command.errors)")
        #expect(try contents(1, second) == Data("VKS1 zq7k was here before, see [scrubbed: order]".utf8))
        #expect(try contents(2, second) == new)
        var cursor = ""
        repeat {
            let part = try second.made("POST", "/projects/default/scrubbing/apply?cursor=\(cursor)")
            cursor = part["next_cursor"]?.string ?? ""
        } while !cursor.isEmpty
        let scrubbed = Data("zq7k came with the key, see [scrubbed: order]".utf8)
        #expect(try contents(2, second) == scrubbed && kept(2, second) == scrubbed.count)
        #expect(try rows()[1].firstRange(of: Data("zq7k".utf8)) == nil)
    }

    @Test func `what was changed or sealed by another key is not opened`() throws {
        try Secrets.prepare()
        let keys = try TemporaryFolder()
        let one = try KeyFile(path: try key(keys, "one", Data(repeating: 1, count: 32)))
        let two = try KeyFile(path: try key(keys, "two", Data(repeating: 2, count: 32)))
        for payload in [Data(), Data([1]), Data("some payload".utf8)] {
            let sealed = one.seal(payload)
            #expect(one.open(sealed) == payload)
            #expect(sealed != one.seal(payload))
            #expect(two.open(sealed) == nil)
            for index in 4..<sealed.count {
                var changed = sealed
                changed[index] ^= 1
                #expect(one.open(changed) == nil)
                #expect(one.open(sealed.prefix(index)) == nil)
            }
        }
        #expect(one.open(Data("plain".utf8)) == Data("plain".utf8))
    }
}
