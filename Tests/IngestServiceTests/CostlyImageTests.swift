// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Images that no worker survives cost two workers once, and nothing but their own frames.
struct CostlyImageTests {
    private static let buildID = "00c0571e00c0571e00c0571e00c0571e00c0571e"
    private static let arguments = ["--worker-memory", "320"]

    private func metric(_ server: ServerProcess, _ name: String) throws -> Int {
        let text = try server.client.send("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    @Test func `an upload that ends two workers is known by its bytes from then on`() throws {
        let server = try ServerProcess(Self.arguments)
        let path = server.folder.path + "/costly"
        try CostlyImage.write(to: path, buildID: Self.buildID)
        let data = try Data(contentsOf: URL(filePath: path))
        for isFirst in [true, false] {
            let response = try server.upload(data)
            let error = try ModelCoding.decode(ErrorReply.self, from: response.body).error
            #expect(response.status == 400 && error.code == "malformed")
            #expect(error.message.contains("it was not tried again") == !isFirst, "\(error.message)")
            #expect(try metric(server, "vaka_worker_deaths_total") == 2)
        }
        #expect(try metric(server, "vaka_images_malformed_total") == 1)
        #expect(server.folder.entries("data/tmp").isEmpty)
        #expect(server.folder.entries("data/malformed").count == 1)
    }

    @Test func `a stored image that ends workers is left out until a better one comes`() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/data/images/00/" + Self.buildID.dropFirst(2)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        // As a server with other limits has taken it.
        try CostlyImage.write(to: place + "/debuginfo", buildID: Self.buildID)
        let server = try ServerProcess(Self.arguments, folder: folder)
        let (other, otherData) = try program(folder, "other", buildID: "0000000000000000000000000000000000000001")
        #expect(try server.upload(otherData).status == 201)

        for number in 1...3 {
            _ = try server.accepted(try Samples.batch(crash(number, other)))
            let event = try server.event(number)
            #expect(event.threads[0].frames.map(\.function) == [nil, "main"])
            #expect(event.debugImages.map(\.status) == [.malformed, .found])
            #expect(event.loss.contains { $0.why.contains("is not read any more") }, "\(event.loss)")
            #expect(try metric(server, "vaka_worker_deaths_total") == 2, "after event \(number)")
        }

        let (_, better) = try program(folder, "better", buildID: Self.buildID)
        let reply = try server.upload(better)
        #expect(reply.status == 201, "\(reply.text)")
        let mended = try server.event(1) { $0.debugImages[0].status == .found }
        #expect(mended.threads[0].frames.map(\.function) == ["main", "main"])
    }

    /// The stored file, not the new one, is to blame.
    @Test func `a better upload is taken though comparing it with what is stored ends workers`() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/data/images/00/" + Self.buildID.dropFirst(2)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try CostlyImage.write(to: place + "/debuginfo", buildID: Self.buildID)
        let server = try ServerProcess(Self.arguments, folder: folder)
        let (_, better) = try program(folder, "better", buildID: Self.buildID)
        #expect(try server.upload(better).status == 201)
        #expect(
            try server.client.send("GET", "/buildid/\(Self.buildID)/debuginfo", headers: server.tokenHeader).body
                == better)
    }

    private func program(_ folder: TemporaryFolder, _ name: String, buildID: String) throws -> (main: UInt64, Data) {
        let path = try CompiledProgram.build(
            name, source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x\(buildID)"], in: folder)
        let symbols = try CompiledProgram.tool("nm", [path]).split(separator: "\n")
        let main = try #require(symbols.first { $0.hasSuffix(" main") }?.split(separator: " ").first)
        return (UInt64(main, radix: 16) ?? 0, try Data(contentsOf: URL(filePath: path)))
    }

    /// A frame in the costly image, called by one in another.
    private func crash(_ number: Int, _ main: UInt64) -> Event {
        var event = Samples.crash(number)
        let bases: [UInt64] = [0x7000_0000_0000, 0x5555_5555_4000]
        let ids = [Self.buildID, "0000000000000000000000000000000000000001"]
        event.debugImages = zip(bases, ids).map { base, id in
            DebugImage(
                buildID: BuildID(hex: id), codeFile: "/srv/nowhere/program", imageAddress: HexAddress(base),
                imageSize: 0x5000, loadBias: HexAddress(base))
        }
        event.threads[0].frames = zip(bases, [FrameTrust.context, .cfi]).map { base, trust in
            Frame(instructionAddress: HexAddress(base + main + 4), trust: trust)
        }
        return event
    }
}
