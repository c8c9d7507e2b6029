// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Bodies without end, slow clients and idle ones.
struct DoorTests {
    private func head(_ server: ServerProcess, _ line: String) -> String {
        "POST \(line) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.credentials.ingestKey)\r\n"
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    }

    /// Sends chunks until an answer comes; what was sent by then, and the answer.
    private func pour(_ server: ServerProcess, head: String, most: Int) throws -> (sent: Int, answer: String) {
        let descriptor = try server.client.connect(seconds: 20)
        defer { close(descriptor) }
        _ = head.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)
        var sent = 0
        while sent < most {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, 0) > 0 { break }
            let count = send(descriptor, chunk, chunk.count, Int32(MSG_NOSIGNAL))
            // The other side has closed: its answer may lie here all the same.
            guard count == chunk.count else { break }
            sent += count
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return (sent, String(decoding: answer, as: UTF8.self))
    }

    @Test func `a body without end is answered at its bound`() throws {
        let server = try ServerProcess(["--max-body", "1000000"])
        let (sent, answer) = try pour(server, head: head(server, "/api/v1/ingest"), most: 200 << 20)
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(answer.contains("too_large") && answer.contains("1000000"))
        #expect(answer.contains("Connection: close"))
        #expect(sent < 20 << 20, "it was answered before its end")
        let (more, refused) = try pour(
            server, head: head(server, "/api/v1/ingest").replacing("vk_", with: "vk_no"), most: 200 << 20)
        #expect(refused.hasPrefix("HTTP/1.1 401"))
        #expect(more < 20 << 20)
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_http_responses_total{status=\"413\"} 1\n"))
    }

    @Test func `curl gets the answer although it has more to send`() throws {
        let server = try ServerProcess(["--max-body", "1000000"])
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "head -c 100000000 /dev/zero | curl -sS --noproxy '*' -w '%{http_code}' -T - -X POST -H 'Authorization: "
                    + "Bearer \(server.credentials.ingestKey)' -H 'Content-Type: application/json' "
                    + "\(server.credentials.url)/api/v1/ingest",
            ])
        #expect(
            result.output.contains("too_large") && result.output.hasSuffix("413"), "\(result.output) \(result.errors)")
    }

    @Test func `a small body that is refused leaves the connection usable`() throws {
        let server = try ServerProcess(["--max-body", "2048"])
        let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n0\r\n\r\n"
        let next = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = try server.client.exchange(Data((head(server, "/api/v1/ingest") + chunk + next).utf8))
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 413"))
        #expect(text.contains("HTTP/1.1 200"))
    }

    /// As many as this process may open, up to 5,000: each half of them sent nothing, or the beginning of a request.
    @Test func `thousands of idle connections and a slow one keep nobody waiting`() throws {
        let server = try ServerProcess()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let count = min(5000, Int(clamping: limit.rlim_cur) - 1024)
        var idle: [Int32] = []
        defer { idle.forEach { close($0) } }
        for index in 0..<count {
            let descriptor = try server.client.connect(seconds: 20)
            idle.append(descriptor)
            guard index % 2 == 0 else { continue }
            _ = "POST /api/v1/inge".withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }
        let slow = try server.client.connect(seconds: 20)
        defer { close(slow) }
        let body = Array(try Samples.batch(Samples.crash(1)).utf8)
        let head = Array(head(server, "/api/v1/ingest").utf8)
        _ = send(slow, head, head.count, Int32(MSG_NOSIGNAL))
        #expect(try server.accepted(try Samples.batch(Samples.crash(2))).accepted == 1)
        for byte in body {
            let piece = Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)
            _ = send(slow, piece, piece.count, Int32(MSG_NOSIGNAL))
        }
        _ = send(slow, "0\r\n\r\n", 5, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 12)
        #expect(recv(slow, &answer, answer.count, Int32(MSG_WAITALL)) == 12)
        #expect(String(decoding: answer, as: UTF8.self) == "HTTP/1.1 202")
        _ = try server.event(1)
        _ = try server.event(2)
    }

    @Test func `a lower limit of open files lowers the connections, and says so`() throws {
        let folder = try TemporaryFolder()
        let server = try ChildProcess(
            "sh",
            [
                "-c", "ulimit -n 300; exec \"$0\" --data \"$1\" --listen 127.0.0.1:0 --no-system",
                BuildProducts.executable("vaka-server"), folder.path + "/data",
            ])
        defer {
            server.kill(SIGKILL)
            _ = try? server.wait(seconds: 10)
        }
        try server.waitForOutput("listening on http")
        #expect(server.errorsSoFar.contains("takes 44 connections at once, not 10000"))
    }
}
