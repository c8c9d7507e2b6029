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
