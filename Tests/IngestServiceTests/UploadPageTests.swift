// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Files that people send by the page's form.
struct UploadPageTests {
    private static let boundary = "----a-boundary"

    /// A form as browsers send it.
    private func form(_ fields: [(String, String)], files: [(name: String, content: Data)]) -> Data {
        var body = Data()
        for (name, value) in fields {
            body += Data(
                "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for (name, content) in files {
            let quoted = name.replacing("\"", with: "%22")
            body += Data(
                ("--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(quoted)\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\n").utf8)
            body += content + Data("\r\n".utf8)
        }
        return body + Data("--\(Self.boundary)--\r\n".utf8)
    }

    private func send(_ body: Data, as reader: PageReader) throws -> HTTPClient.Response {
        try reader.server.client.send(
            "POST", "/images",
            headers: reader.session.merging(["Content-Type": "multipart/form-data; boundary=\(Self.boundary)"]) { $1 },
            body: body)
    }

    @Test func `an image is taken, and what it can give is told as the command tells it`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        let image = try Data(contentsOf: URL(filePath: BuildProducts.crasher("null-write")))
        let name = "shop \"<b>.debug"
        let files = [(name: name, content: image), (name: "notes.txt", content: Data("not\r\n------a-boundar".utf8))]
        let proof = ("form", try reader.proof())
        let answer = try send(form([proof, ("release", "shop@1")], files: files), as: reader)
        #expect(answer.status == 200)
        #expect(answer.text.contains("shop &quot;&lt;b&gt;.debug</b> is stored"))
        #expect(answer.text.contains("<th scope=\"row\">build id</th>"))
        #expect(answer.text.contains("notes.txt was not taken"))
        let list = try server.made("GET", "/projects/default/artifacts")["artifacts"]?.array ?? []
        #expect(list.map { $0["name"] } == [.string(name)] && list.first?["release"] == "shop@1")
        let again = try send(form([proof], files: [files[0]]), as: reader)
        #expect(again.text.contains("is there already"))
        // Nothing of it is left beside what is stored.
        let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/data/tmp")
        #expect(left.isEmpty, "\(left)")
        let log = try reader.page("/settings/audit").text
        #expect(log.contains("POST /images"))
    }

    @Test func `what is no form of this session, or no form at all, is refused`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        let proof = ("form", try reader.proof())
        let file = (name: "a", content: Data("x".utf8))
        #expect(try send(form([("form", "no")], files: [file]), as: reader).status == 403)
        #expect(try send(form([proof], files: []), as: reader).text.contains("No file was chosen"))
        #expect(try send(form([proof], files: [(name: "", content: Data())]), as: reader).status == 400)
        let cut = form([proof], files: [file]).dropLast(20)
        #expect(try send(Data(cut), as: reader).status == 400)
        let many = (1...17).map { (name: "\($0)", content: Data()) }
        #expect(try send(form([proof], files: many), as: reader).text.contains("more than 16 files"))
        for parts in [
            form([proof] + Array(repeating: ("release", "x"), count: 64), files: []),
            form([proof], files: Array(repeating: (name: "", content: Data()), count: 64)),
        ] {
            let answer = try send(parts, as: reader)
            #expect(answer.status == 400 && answer.text.contains("more than 64 parts"), "\(answer.text)")
        }
        let other = try server.client.send(
            "POST", "/images", headers: reader.session.merging(["Content-Type": "text/plain"]) { $1 },
            body: Data("x".utf8))
        #expect(other.status == 415)
        let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/data/tmp")
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `every byte of a form counts`() throws {
        let server = try ServerProcess(["--max-upload", "5000"])
        let reader = try PageReader(server)
        let proof = ("form", try reader.proof())
        let small = try send(form([proof], files: [(name: "a", content: Data(count: 100))]), as: reader)
        #expect(small.text.contains("a was not taken"), "\(small.text)")
        #expect(try send(form([proof], files: [(name: "a", content: Data(count: 5000))]), as: reader).status == 413)
        let folder = try TemporaryFolder()
        let whole = form([("a", "1")], files: [])
        for body in [Data(count: 5000) + whole, whole + Data(count: 5000)] {
            let sink = try FileFormSink(
                contentType: "multipart/form-data; boundary=\(Self.boundary)", folder: folder.path, limit: 5000)
            #expect(throws: APIError.self) { try Array(body).withUnsafeBytes { try sink.write($0) } }
        }
    }

    @Test func `a form is read the same however it is cut into pieces`() throws {
        let content = Data(
            (0..<5000).map { UInt8(truncatingIfNeeded: $0 % 251) } + Array("\r\n----\r\n------a-bound".utf8))
        let body = Array(form([("a", "1"), ("b", "\r\n--x")], files: [(name: "f", content: content)]))
        for size in [1, 2, 7, 64, 4096, body.count] {
            let folder = try TemporaryFolder()
            let sink = try FileFormSink(
                contentType: "multipart/form-data; boundary=\"\(Self.boundary)\"", folder: folder.path, limit: 1 << 20)
            for start in stride(from: 0, to: body.count, by: size) {
                try body[start..<min(start + size, body.count)].withUnsafeBytes { try sink.write($0) }
            }
            guard case .files(let form) = try sink.finish() else {
                Issue.record("no form")
                return
            }
            #expect(form.fields == ["a": "1", "b": "\r\n--x"], "\(size)")
            let file = try #require(form.files.first)
            #expect(try Data(contentsOf: URL(filePath: file.path)) == content, "\(size)")
            sink.discard()
        }
    }
}
