// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Debuginfod
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// The client against a server that does as each test says.
@Suite struct DebuginfodClientTests {
    private static let hex = "00112233445566778899aabbccddeeff00112233"
    private let folder: TemporaryFolder
    private let program: String
    private let buildID: BuildID

    init() throws {
        folder = try TemporaryFolder()
        program = try Self.build("program", buildID: Self.hex, in: folder)
        buildID = try #require(BuildID(hex: Self.hex))
    }

    private static func build(_ name: String, buildID: String, in folder: TemporaryFolder) throws -> String {
        try CompiledProgram.build(
            name, source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x\(buildID)"], in: folder)
    }

    private func client(
        _ servers: [String], _ change: (inout DebuginfodLimits) -> Void = { _ in }
    ) throws -> DebuginfodClient {
        var limits = DebuginfodLimits()
        change(&limits)
        return DebuginfodClient(
            servers: try servers.map(DebuginfodServer.init(url:)),
            cache: DebuginfodCache(folder: folder.path + "/cache", limits: limits))
    }

    private func reason(_ answer: RemoteImageAnswer) -> String {
        if case .absent(let reason) = answer { reason } else { "it was given" }
    }

    /// What is in the cache of the build id, hidden notes left out.
    private var kept: [String] { folder.entries("cache/" + Self.hex).filter { !$0.hasPrefix(".") } }

    @Test func aFileIsFetchedOnceAndKept() throws {
        let server = try ScriptedServer(answers: [.init(status: 200, file: program)])
        for source in ["debuginfod \(server.url)", "debuginfod cache"] {
            let answer = try client([server.url + "/"]).fetch(.debuginfo, buildID)
            let path = folder.path + "/cache/\(Self.hex)/debuginfo"
            #expect(answer == .file(path: path, source: source))
            #expect(FileManager.default.contentsEqual(atPath: path, andPath: program))
        }
        let requests = try server.requests()
        #expect(requests.map(\.path) == ["/buildid/\(Self.hex)/debuginfo"])
        #expect(kept == ["debuginfo"])
    }

    @Test func thatNobodyHasItIsRememberedForAWhile() throws {
        let server = try ScriptedServer(default: .init(status: 404))
        for _ in 0..<2 {
            let answer = try client([server.url]).fetch(.executable, buildID)
            #expect(reason(answer) == "\(server.url) has no executable of it")
        }
        #expect(try server.requests().count == 1)
        _ = try client([server.url]).fetch(.debuginfo, buildID)
        #expect(try server.requests().count == 2, "the other kind was not asked for yet")
        for _ in 0..<2 {
            _ = try client([server.url]) { $0.absenceSeconds = 0 }.fetch(.executable, BuildID(hex: "abcd")!)
        }
        #expect(try server.requests().count == 4)
    }

    @Test func theNextServerIsAskedWhereOneFails() throws {
        let (bad, good) = (
            try ScriptedServer(default: .init(status: 500)),
            try ScriptedServer(default: .init(status: 200, file: program))
        )
        let answer = try client([bad.url, good.url]).fetch(.debuginfo, buildID)
        guard case .file(_, let source) = answer else { throw ChildProcess.Failure(description: "\(answer)") }
        #expect(source == "debuginfod \(good.url)")
        #expect(reason(try client([bad.url]).fetch(.executable, buildID)).contains("answers with status 500"))
    }

    @Test func aWrongBuildIDIsRefused() throws {
        let other = try Self.build("other", buildID: String(Self.hex.reversed()), in: folder)
        let server = try ScriptedServer(answers: [.init(status: 200, file: other), .init(status: 200, body: "no ELF")])
        let client = try client([server.url])
        #expect(reason(client.fetch(.debuginfo, buildID)).contains("another build id (\(String(Self.hex.reversed())))"))
        #expect(reason(client.fetch(.executable, buildID)).contains("no file of a build id"))
        #expect(kept.isEmpty)
    }

    @Test func aFileThatEndsEarlyIsRefused() throws {
        let server = try ScriptedServer(default: .init(status: 200, file: program, declared: 1 << 20))
        #expect(reason(try client([server.url]).fetch(.debuginfo, buildID)).contains("ended the answer early"))
        #expect(kept.isEmpty)
    }

    /// Whatever the server says of the size.
    @Test(arguments: [nil, "10", "99999999999"])
    func anEndlessFileEnds(said: String?) throws {
        let headers = said.map { ["X-DEBUGINFOD-SIZE": $0] }
        let server = try ScriptedServer(default: .init(status: 200, headers: headers, endless: true))
        let client = try client([server.url]) { $0.fileBytes = 1 << 20 }
        #expect(reason(client.fetch(.debuginfo, buildID)).contains("gives more than 1048576 bytes"))
        #expect(kept.isEmpty)
    }

    @Test func aSizeThatIsWrongHurtsNobody() throws {
        let server = try ScriptedServer(
            default: .init(status: 200, headers: ["X-DEBUGINFOD-SIZE": "-5 and more"], file: program))
        #expect(reason(try client([server.url]).fetch(.debuginfo, buildID)) == "it was given")
    }

    @Test func aSlowServerIsAskedOnce() throws {
        let server = try ScriptedServer(default: .init(status: 200, delay: 600, file: program))
        let client = try client([server.url]) { $0.stallSeconds = 1 }
        for kind in RemoteImageKind.allCases {
            #expect(reason(client.fetch(kind, buildID)).contains("is too slow"))
        }
        #expect(try server.waitForRequests(1).count == 1)
    }

    @Test func whoCannotBeReachedIsTold() throws {
        let server = try ScriptedServer()
        server.stop()
        let url = server.url.replacing("http://", with: "http://x:secret@")
        let answer = reason(try client([url]).fetch(.debuginfo, buildID))
        #expect(answer.contains("\(server.url) cannot be reached") && !answer.contains("secret"), "\(answer)")
    }

    @Test func redirectsAreFollowedButNotForEver() throws {
        let good = try ScriptedServer(default: .init(status: 200, file: program))
        let server = try ScriptedServer(answers: [
            .init(status: 302, headers: ["Location": good.url + "/elsewhere"]),
            .init(status: 302, headers: ["Location": "file://" + program]),
        ])
        #expect(reason(try client([server.url]).fetch(.debuginfo, buildID)) == "it was given")
        #expect(reason(try client([server.url]).fetch(.executable, buildID)) != "it was given")
        let loop = try ScriptedServer(default: .init(status: 302, headers: ["Location": "/again"]))
        #expect(reason(try client([loop.url]).fetch(.executable, buildID)) != "it was given")
        #expect(try loop.requests().count < 10)
        #expect(kept == ["debuginfo"])
    }

    @Test func accessIsSentAndRefusalsSayWhatToDo() throws {
        let server = try ScriptedServer(default: .init(status: 401))
        let url = server.url.replacing("http://", with: "http://x:va_token@")
        #expect(reason(try client([url]).fetch(.debuginfo, buildID)).contains("user and password"))
        #expect(try server.requests().first?.headers["authorization"] == "Basic eDp2YV90b2tlbg==")
    }

    @Test(arguments: ["file:///usr/lib/debug", "ftp://host", "/usr/lib/debug", "http://", "http://a b", "https://h/?x"])
    func otherAddressesAreRefused(url: String) {
        #expect(throws: DebuginfodError.self) { try DebuginfodServer(url: url) }
    }

    @Test func theListOfTheEnvironment() throws {
        let list = "https://a.example/ ima:enforcing  http://b.example/buildid/\n"
        #expect(try DebuginfodServer.list(list).map(\.name) == ["https://a.example", "http://b.example"])
        let limits = try DebuginfodLimits(environment: ["DEBUGINFOD_TIMEOUT": "5", "DEBUGINFOD_MAXSIZE": "1000"])
        #expect(limits.stallSeconds == 5 && limits.fileBytes == 1000)
        #expect(throws: DebuginfodError.self) { try DebuginfodLimits(environment: ["DEBUGINFOD_MAXTIME": "soon"]) }
    }
}
