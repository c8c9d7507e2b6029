// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// A package outside of this one, which depends on the product `Vaka` by its path.
@Suite struct ExampleTests {
    let folder: TemporaryFolder
    let program: String

    init() throws {
        folder = try TemporaryFolder()
        // `make test` has built it before.
        let made = try ChildProcess.run(
            "/usr/bin/env", ["make", "-s", "example-tool"], directory: BuildProducts.root, seconds: 1200)
        try #require(made.status == .exited(0), "\(made.errors)")
        program = BuildProducts.root + "/build/examples/debug/wordcount"
    }

    func run(_ server: ServerProcess, _ file: String) throws -> ChildProcess.Result {
        try ChildProcess.run(
            program, [file],
            environment: [
                "SWIFT_BACKTRACE": "enable=no", "VAKA_URL": server.credentials.url,
                "VAKA_KEY": server.credentials.ingestKey, "VAKA_STORAGE": folder.path + "/storage",
            ])
    }

    @Test func itCrashesAndReportsToARealService() throws {
        let server = try ServerProcess()
        #expect(try server.upload(Data(contentsOf: URL(filePath: program)), name: "wordcount").status == 201)
        let text = folder.path + "/text"
        try Data("two words".utf8).write(to: URL(filePath: text))
        let empty = folder.path + "/empty"
        try Data().write(to: URL(filePath: empty))
        #expect(try run(server, empty).status == .signalled(SIGILL))
        #expect(try run(server, text).status == .exited(0))
        #expect(try run(server, folder.path + "/missing").status == .exited(1))

        let events = try server.latestEvents(2)
        let crash = try #require(events.first { $0.type == .crash })
        #expect(crash.release == "wordcount@1.0")
        #expect(crash.breadcrumbs.map(\.message) == ["counts \(empty)"])
        #expect(crash.session?.status == .crashed)
        #expect(crash.crashedThread?.frames.contains { $0.function?.contains("average") == true } == true)

        let failure = try #require(events.first { $0.type == .error })
        #expect(failure.errors.map(\.causeOf) == [nil, 0, 1])
        #expect(failure.errors.first?.stackOf == .throw)
        #expect(failure.errors.first?.type == "wordcount.CountFailed")
        #expect(failure.errors[1].code == 260)
    }

    /// The program's own needs: what its Swift runtime and its system bring, and nothing of the service's.
    @Test func itLinksNothingOfTheServices() throws {
        let libraries = try ChildProcess.run("/usr/bin/env", ["ldd", program]).output
        #expect(libraries.contains("libswiftCore.so"))
        #expect(!libraries.contains("not found"))
        for name in [
            "libdw", "libelf", "libmicrohttpd", "libsqlite3", "libsodium", "libminizip", "libzstd", "libcurl",
            "libFoundation.so", "libFoundationNetworking",
        ] {
            #expect(!libraries.contains(name), "\(name)")
        }
    }
}
