// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Grouping
import VakaModel

/// What tells of an event, as it came, that it is of the same problem as another: the places of its stack, by build id and
/// address, and its reason. Read in one pass, with nothing symbolicated.
///
/// Equal sketches mean equal keys as long as the images stay the same. Finer than an issue: one problem may have many.
struct ProblemSketch {
    let identity: EventHead.Identity
    let release: String?
    let environment: String?
    let user: String?
    /// 128 bits of a hash.
    let key: String

    private static let mostFrames = 4096
    private static let frames = JSONWalk.array(
        [
            "build_id": .value, "relative_addr": .value, "instruction_addr": .value, "symbol": .value,
            "function": .value, "module": .value,
        ], most: mostFrames)
    private static let walk = EventHead.walk.merging([
        "environment": .value, "user": .value, "fingerprint": .value, "hang": .value,
        "reason": .object([
            "signal": .value, "number": .value, "code": .value, "kind": .value, "sender_pid": .value,
            "sender_name": .value, "message": .value,
        ]),
        "contexts": .object(["process": .object(["executable": .value, "name": .value])]),
        "errors": .array(["type": .value, "message": .value, "frames": frames], most: 64),
        "threads": .array(
            ["crashed": .value, "stack": .value, "frames": frames, "frames_truncated": .value], most: 8192),
    ]) { $1 }

    /// Nil where only a worker can tell: for stacks that are still to be unwound, for hangs, for what is unusual.
    init?(_ payload: Data) {
        var scanner = JSONScanner(Array(payload), deepest: 64)
        guard let event = try? scanner.walkDocument(into: Self.walk),
            let head = try? EventHead(event, in: scanner), scanner.written(event["hang"]).isEmpty,
            let stack = Self.stack(event, scanner)
        else { return nil }
        identity = head.identity
        release = head.release
        environment = scanner.text(event["environment"])
        let user = event["user"].flatMap {
            try? ModelCoding.decode([String: JSONValue].self, from: Data(scanner.slice($0.range)))
        }
        self.user = Event.affectedUser(user)
        var material = Material(scanner)
        material.add(text: head.identity.type.rawValue)
        for fact in ["signal", "number", "code", "kind", "sender_name"] { material.add(event["reason"]?[fact]) }
        material.add(text: scanner.written(event["reason"]?["sender_pid"]).isEmpty ? "" : "sent")
        material.add(template: event["reason"]?["message"])
        material.add(event["contexts"]?["process"]?["name"])
        material.add(event["fingerprint"])
        for error in event["errors"]?.elements ?? [] {
            material.add(error["type"])
            material.add(template: error["message"])
            material.add(frames: error["frames"]?.elements ?? [])
        }
        material.add(frames: stack)
        key = material.key
    }

    /// The crashed thread's frames; none where there is no thread.
    private static func stack(_ event: JSONFinding, _ scanner: JSONScanner) -> [JSONFinding]? {
        let threads = event["threads"]?.elements ?? []
        guard !threads.isEmpty else { return [] }
        let crashed = threads.first { scanner.written($0["crashed"]).elementsEqual("true".utf8) }
        guard let crashed, let frames = crashed["frames"], let found = frames.elements, !found.isEmpty,
            frames.elementCount <= mostFrames
        else { return nil }
        let isWhole = !scanner.written(crashed["frames_truncated"]).elementsEqual("true".utf8)
        return isWhole || scanner.written(crashed["stack"]).isEmpty ? found : nil
    }

    /// What the key is made of.
    private struct Material {
        private let scanner: JSONScanner
        private var parts: [String] = []

        init(_ scanner: JSONScanner) { self.scanner = scanner }

        var key: String { SHA256.fingerprint(parts) }

        mutating func add(text: String) { parts.append(text) }

        mutating func add(_ finding: JSONFinding?) {
            parts.append(String(decoding: scanner.written(finding), as: UTF8.self))
        }

        mutating func add(template finding: JSONFinding?) {
            parts.append(MessageTemplate.of(scanner.text(finding) ?? ""))
        }

        mutating func add(frames: [JSONFinding]) {
            parts.append("\(frames.count)")
            for frame in frames {
                for name in ["build_id", "relative_addr", "symbol", "function", "module"] { add(frame[name]) }
                let isPlaced = ["build_id", "relative_addr"].allSatisfy { !scanner.written(frame[$0]).isEmpty }
                add(isPlaced ? nil : frame["instruction_addr"])
            }
        }
    }
}
