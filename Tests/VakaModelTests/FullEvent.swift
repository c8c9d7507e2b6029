// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

/// An event of which every fact is known, for whatever has to treat all of them.
enum FullEvent {
    static func make() -> Event {
        var event = Event(
            eventID: "0123456789abcdef0123456789abcdef", type: .crash,
            timestamp: Timestamp(milliseconds: 1_767_225_600_123),
            level: .fatal, arch: "x86_64")
        event.contexts = ["os": ["name": "Linux \"x\"", "numbers": [1, -2, 0.5, 1e300, true, .null, []], "none": [:]]]
        event.release = "app@1.0 – é 😀"
        event.environment = "production\n\t\\/"
        event.user = ["id": 7, "name": "n\u{1}"]
        event.tags = ["b": "2", "a": "1", "é": "e\u{301}"]
        event.breadcrumbs = [
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 0), level: .warning, category: "net", message: "sent",
                data: ["url": "http://host/", "size": 12])
        ]
        event.session = session
        event.reason = Reason(
            signal: "SIGSEGV", number: 11, code: "SEGV_MAPERR", exception: "EXC_BAD_ACCESS",
            faultAddress: HexAddress(0), senderPID: 12, message: "why", messageSource: .swift, access: .write,
            kind: .nullCall, senderName: "other")
        event.hang = Hang(watch: "main", bound: 2, stuck: 2.25, outcome: .recovered, duration: 3.5)
        var error = ReportedError(type: "Failure", message: "text", frames: [frame], stackOf: .throw)
        (error.causeOf, error.domain, error.code) = (0, "domain", -5)
        event.errors = [error]
        event.threads = [thread, ThreadState(id: 8, name: "t")]
        event.debugImages = [image]
        event.loss = [Loss(what: "stack", why: "too long")]
        event.fingerprint = ["{{ default }}", "own"]
        event.sampleRate = 0.25
        event.network = NetworkHistory([FullNetworkRecord.make()])
        event.capabilities = [
            CapabilityDescriptor(id: "network.transport.other", state: .disabled, reason: .hostOptIn)
        ]
        event.memory = [MemoryRegion(address: HexAddress(.max), data: Data((0...255).map { UInt8($0) }))]
        return event
    }

    private static var frame: Frame {
        Frame(
            instructionAddress: HexAddress(0x7fff_1234), trust: .cfi, inlined: true, symbol: "$s3app1fyyF",
            function: "app.f() -> ()", file: "/src/a.swift", line: 12, column: 3, module: "app",
            buildID: BuildID(hex: "00ff12"), relativeAddress: HexAddress(0x1234), inApp: true, status: .symbolicated,
            notes: ["line_of_caller"],
            sourceContext: SourceContext(pre: ["{"], line: "  f()", post: [], origin: .bundle, verified: true))
    }

    private static var thread: ThreadState {
        var thread = ThreadState(
            id: 7, name: "main", crashed: true, registers: ["rip": HexAddress(0x10), "eflags": HexAddress(0)],
            frames: [frame, Frame(instructionAddress: HexAddress(1), trust: .scan)], framesTruncated: true,
            stack: MemoryRegion(address: HexAddress(0x7000), data: Data([0, 1, 2, 3])))
        thread.current = true
        thread.pointersOnly = true
        return thread
    }

    private static var image: DebugImage {
        DebugImage(
            buildID: BuildID(hex: "00ff12"), codeFile: "/usr/bin/app", imageAddress: HexAddress(0x1000),
            imageSize: 4096, loadBias: HexAddress(0x1000), status: .found, source: "/images/app")
    }

    private static var session: Session {
        var session = Session(
            id: "s", started: Timestamp(milliseconds: 5), status: .crashed, duration: 1.5, errors: 2, release: "r",
            environment: "e")
        (session.cause, session.window, session.requests, session.sampleRate) = (
            "killed", 60, ["ok": 5, "bad": 0], 0.5
        )
        return session
    }
}
