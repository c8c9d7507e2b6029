// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The data folder cannot be written: each request is told so, nothing that was acknowledged is lost, and the server goes on
/// by itself when it can.
struct FullDiskTests {
    private static let canMount =
        (try? ChildProcess.run("unshare", ["--user", "--map-root-user", "--mount", "true"]))?.status == .exited(0)
    private static let canLoop =
        geteuid() == 0
        && (try? ChildProcess.run("sh", ["-c", "command -v mkfs.ext4 && losetup -f"]))?.status == .exited(0)

    /// Batches that do not compress, of about half a megabyte each.
    private struct Sender {
        let server: ServerProcess
        private(set) var accepted: [Int] = []
        private var next = 1

        init(_ server: ServerProcess) {
            self.server = server
        }

        /// Sends until the server refuses; the refusal.
        mutating func sendUntilRefused() throws -> HTTPClient.Response {
            while next < 5000 {
                let answer = try send()
                if answer.status != 202 { return answer }
            }
            throw ChildProcess.Failure(description: "nothing was refused")
        }

        mutating func send() throws -> HTTPClient.Response {
            let numbers = Array(next..<next + 4)
            next += 4
            let items = try numbers.map { try Samples.item(crash($0)) }
            let answer = try server.ingest(Samples.batch(items))
            if answer.status == 202 { accepted += numbers }
            return answer
        }

        private func crash(_ number: Int) -> Event {
            var event = Samples.crash(number)
            var random = SystemRandomNumberGenerator()
            let words = (0..<12_000).map { _ in random.next() as UInt64 }
            event.threads[0].frames[0].status = nil
            event.threads[0].stack = MemoryRegion(
                address: HexAddress(0x7ffc_0000_0000), data: words.withUnsafeBytes { Data($0) })
            return event
        }
    }

    /// What was answered 202 is there, each once.
    private func expectAll(_ sender: Sender) throws {
        let server = sender.server
        try server.eventually(seconds: 60) {
            try server.client.send("GET", "/readyz").text.contains("\"items\":0,") ? true : nil
        }
        for number in sender.accepted { _ = try server.event(number) }
        let issues = try server.json("issues?limit=200")["issues"]?.array ?? []
        let counted = issues.reduce(0) { sum, issue in
            if case .integer(let events)? = issue["events"] { sum + Int(events) } else { sum }
        }
        #expect(counted == sender.accepted.count)
    }

    private func expectRefusals(_ sender: inout Sender) throws {
        let server = sender.server
        // What is worked on meanwhile may make a little room again.
        try server.eventually(seconds: 60) {
            let answer = try sender.sendUntilRefused()
            try #require(
                answer.status == 507 && answer.text.contains("storage_full"), "\(answer.status) \(answer.text)")
            #expect(answer.headers["retry-after"] != nil)
            let ready = try server.client.send("GET", "/readyz")
            return ready.status == 503 && ready.text.contains("storage_full") ? true : nil
        }
        #expect(try server.client.send("GET", "/healthz").status == 200)
        #expect(try server.get("issues").status == 200, "what is there can be read")
        #expect(!server.process.hasEnded)
    }

    @Test(.enabled(if: canMount)) func `a full disk is told, and the server goes on when there is room`() throws {
        let surroundings = ServerSurroundings.mounting("mkdir -p $DATA && mount -t tmpfs -o size=8m none $DATA")
        let server = try ServerProcess(in: surroundings)
        var sender = Sender(server)
        try expectRefusals(&sender)
        #expect(!sender.accepted.isEmpty)
        let upload = try server.upload(Data(repeating: 1, count: 4 << 20))
        #expect(upload.status == 507 && upload.text.contains("free space"), "\(upload.status) \(upload.text)")
        let more = try surroundings.run(
            "mount -o remount,size=200m \(server.folder.path)/data", beside: server.process)
        #expect(more.status == .exited(0), "\(more.errors)")
        try server.eventually { try server.client.send("GET", "/readyz").status == 200 ? true : nil }
        #expect(try sender.send().status == 202)
        try expectAll(sender)
    }

    @Test func `a limit of file sizes ends no server`() throws {
        let surroundings = ServerSurroundings.limited("ulimit -S -f 6000")
        let server = try ServerProcess(in: surroundings)
        var sender = Sender(server)
        try expectRefusals(&sender)
        let more = try ChildProcess.run(
            "prlimit", ["--pid", "\(server.process.processID)", "--fsize=unlimited"])
        #expect(more.status == .exited(0), "\(more.errors)")
        try server.eventually { try server.client.send("GET", "/readyz").status == 200 ? true : nil }
        #expect(try sender.send().status == 202)
        try expectAll(sender)
    }

    /// As a file system does on its own after an error of its disk.
    @Test(.enabled(if: canLoop)) func `a folder that becomes read-only is told, and nothing is lost`() throws {
        let folder = try TemporaryFolder()
        let image = folder.path + "/disk"
        let made = try ChildProcess.run("sh", ["-c", "truncate -s 64M \(image) && mkfs.ext4 -q \(image)"])
        #expect(made.status == .exited(0), "\(made.errors)")
        let mount = "mkdir -p $DATA && mount -o loop \(image) $DATA"
        let surroundings = ServerSurroundings.mounting(mount)
        let first = try ServerProcess(folder: folder, in: surroundings)
        var sender = Sender(first)
        #expect(try sender.send().status == 202 && sender.send().status == 202)
        let broken = try surroundings.run("mount -o remount,abort \(folder.path)/data", beside: first.process)
        #expect(broken.status == .exited(0), "\(broken.errors)")
        let refusal = try first.eventually { () -> HTTPClient.Response? in
            let answer = try sender.send()
            return answer.status == 202 ? nil : answer
        }
        #expect(
            refusal.status == 503 && refusal.text.contains("cannot be written"), "\(refusal.status) \(refusal.text)")
        #expect(refusal.headers["retry-after"] != nil)
        let ready = try first.client.send("GET", "/readyz")
        #expect(ready.status == 503 && ready.text.contains("read_only"), "\(ready.text)")
        #expect(try first.client.send("GET", "/healthz").status == 200)
        #expect(try first.upload(Data(repeating: 1, count: 100)).status == 507)
        first.process.kill(SIGKILL)
        _ = try first.process.wait()

        let second = try ServerProcess(folder: folder, in: surroundings)
        for number in sender.accepted { _ = try second.event(number) }
        #expect(try second.client.send("GET", "/readyz").status == 200)
    }
}
