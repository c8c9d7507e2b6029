// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The examples whose build takes minutes, with VAKA_SOAK=1.
@Suite(.serialized, .enabled(if: getenv("VAKA_SOAK") != nil)) struct SwiftExampleTests {
    let folder: TemporaryFolder
    let service: ServerProcess

    init() throws {
        let made = try ChildProcess.run(
            "/usr/bin/env", ["make", "-s", "examples"], directory: BuildProducts.root, seconds: 2400)
        try #require(made.status == .exited(0), "\(made.errors)")
        folder = try TemporaryFolder()
        service = try ServerProcess()
    }

    private func start(_ example: String, _ program: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.root + "/build/examples-\(example)/debug/\(program)", arguments,
            environment: [
                "SWIFT_BACKTRACE": "enable=no", "VAKA_URL": service.credentials.url,
                "VAKA_KEY": service.credentials.ingestKey, "VAKA_STORAGE": folder.path + "/storage",
            ])
    }

    @Test func theServersErrorAndCrash() throws {
        let first = try start("server", "server", "0")
        try first.waitForOutput("listening on ")
        try first.waitForOutput("\n")
        let port = first.outputSoFar.split(whereSeparator: \.isWhitespace).last ?? ""
        let talk = try ChildProcess.run(
            "/usr/bin/env",
            [
                "bash", "-c",
                "exec 3<>/dev/tcp/127.0.0.1/\(port); for w in hello fail crash; do echo $w >&3; read -r a <&3; echo $a; done",
            ])
        #expect(talk.output.hasPrefix("5\nerror\n"))
        #expect(try first.wait().status == .signalled(SIGILL))

        let second = try start("server", "server", "0")
        try second.waitForOutput("listening on ")
        let events = try service.latestEvents(2)
        second.kill(SIGTERM)
        #expect(try second.wait().status == .exited(0))
        let failure = try #require(events.first { $0.type == .error })
        #expect(failure.tags == ["verb": "fail"] && failure.breadcrumbs.map(\.message) == ["fail"])
        let crash = try #require(events.first { $0.type == .crash })
        #expect(crash.release == "server@1.0")
        #expect(crash.breadcrumbs.contains { $0.message == "crash" && $0.category == "request" })
    }

    @Test func whatIsLoggedTravelsAlong() throws {
        #expect(try start("log-handler", "logged").wait().status == .exited(0))
        let event = try service.latestEvents(1)[0]
        #expect(event.errors.map(\.message) == ["the payment failed"])
        #expect(event.breadcrumbs.map(\.message) == ["opened the basket", "the payment failed"])
        #expect(event.breadcrumbs.first?.category == "shop" && event.breadcrumbs.first?.data["items"] == "3")
    }
}
