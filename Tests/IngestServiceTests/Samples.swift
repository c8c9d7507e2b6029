// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

/// Batches and events as programs send them.
enum Samples {
    static func eventID(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    static func crash(_ number: Int, function: String = "app.f()", message: String? = nil) -> Event {
        var event = Event(
            eventID: eventID(number), type: .crash, timestamp: Timestamp(milliseconds: 1_700_000_000_000),
            level: .fatal,
            arch: "x86_64")
        event.reason = Reason(signal: "SIGSEGV", number: 11, code: "SEGV_MAPERR", message: message)
        let frame = Frame(
            instructionAddress: HexAddress(0x1010), trust: .context, symbol: function, function: function,
            module: "app",
            buildID: BuildID(hex: "abcd"), relativeAddress: HexAddress(0x10), inApp: true, status: .symbolicated)
        event.debugImages = [
            DebugImage(
                buildID: BuildID(hex: "abcd"), codeFile: "/opt/app", imageAddress: HexAddress(0x1000), imageSize: 0x1000
            )
        ]
        event.threads = [ThreadState(id: 7, name: "main", crashed: true, frames: [frame])]
        event.release = "app@1.0"
        return event
    }

    static func item(_ event: Event, id: String? = nil) throws -> String {
        let payload = String(decoding: try ModelCoding.encode(event), as: UTF8.self)
        return "{\"kind\":\"event\",\"id\":\"\(id ?? event.eventID)\",\"payload\":\(payload)}"
    }

    /// An event that the door lets in and nobody can read: half a pair of surrogates is JSON, and no text.
    static func unreadable(_ number: Int, id: String? = nil) -> String {
        let payload =
            "{\"schema_version\":1,\"event_id\":\"\(eventID(number))\",\"type\":\"crash\","
            + "\"timestamp\":\"2026-01-01T00:00:00Z\",\"release\":\"\\ud800\"}"
        return "{\"kind\":\"event\",\"id\":\"\(id ?? eventID(number))\",\"payload\":\(payload)}"
    }

    static func batch(_ items: [String]) -> String {
        "{\"schema_version\":1,\"install_id\":\"i\",\"sequence\":1,\"sent_at\":\"2026-01-01T00:00:00.000Z\",\"items\":["
            + items.joined(separator: ",") + "]}"
    }

    static func batch(_ events: Event...) throws -> String { batch(try events.map { try item($0) }) }
}

extension ServerProcess {
    /// The reply to a batch that was accepted.
    func accepted(_ body: String) throws -> IngestReply {
        let response = try ingest(body)
        guard response.status == 202 else {
            throw ChildProcess.Failure(description: "not accepted: \(response.status) \(response.text)")
        }
        return try ModelCoding.decode(IngestReply.self, from: response.body)
    }

    /// The event once it was worked on.
    func event(_ number: Int, where condition: (Event) -> Bool = { _ in true }) throws -> Event {
        try eventually {
            let response = try get("events/\(Samples.eventID(number))")
            guard response.status == 200 else { return nil }
            let event = try ModelCoding.decode(Event.self, from: response.body)
            return condition(event) ? event : nil
        }
    }

    func json(_ path: String) throws -> JSONValue {
        try ModelCoding.decode(JSONValue.self, from: try get(path).body)
    }
}

extension JSONValue {
    var array: [JSONValue] {
        if case .array(let values) = self { values } else { [] }
    }
}
