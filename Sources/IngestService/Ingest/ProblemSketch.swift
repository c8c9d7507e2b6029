// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Grouping
import JSONScan
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
    private static let frames = ScanTree.Value.array(
        [
            "build_id": .value, "relative_addr": .value, "instruction_addr": .value, "symbol": .value,
            "function": .value, "module": .value,
        ], most: mostFrames)
    private static let tree = ScanTree(
        .object(
            EventHead.members.merging([
                "environment": .value, "user": .value, "fingerprint": .value, "hang": .value,
                "reason": .object([
                    "signal": .value, "number": .value, "code": .value, "kind": .value, "sender_pid": .value,
                    "sender_name": .value, "message": .value,
                ]),
                "contexts": .object(["process": .object(["executable": .value, "name": .value])]),
                "errors": .array(["type": .value, "message": .value, "frames": frames], most: 64),
                "threads": .array(
                    ["crashed": .value, "stack": .value, "frames": frames, "frames_truncated": .value], most: 8192),
            ]) { $1 }))

    /// Nil where only a worker can tell: for stacks that are still to be unwound, for hangs, for what is unusual.
    init?(_ payload: Data) {
        guard let event = try? JSONScan(Array(payload), deepest: 64, tree: Self.tree).document,
            let head = try? EventHead(event), event["hang"].written.isEmpty, let stack = Self.stack(event)
        else { return nil }
        identity = head.identity
        release = head.release
        environment = event["environment"]?.text
        let user = event["user"].flatMap {
            try? ModelCoding.decode([String: JSONValue].self, from: Data($0.slice))
        }
        self.user = Event.affectedUser(user)
        var material = Material()
        material.add(text: head.identity.type.rawValue)
        for fact: StaticString in ["signal", "number", "code", "kind", "sender_name"] {
            material.add(event["reason"]?[fact])
        }
        material.add(text: (event["reason"]?["sender_pid"]).written.isEmpty ? "" : "sent")
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
    private static func stack(_ event: JSONFinding) -> [JSONFinding]? {
        let threads = event["threads"]?.elements ?? []
        guard !threads.isEmpty else { return [] }
        let crashed = threads.first { $0["crashed"].written.elementsEqual("true".utf8) }
        guard let crashed, let frames = crashed["frames"], frames.elementCount > 0,
            frames.elementCount <= mostFrames
        else { return nil }
        let isWhole = !crashed["frames_truncated"].written.elementsEqual("true".utf8)
        return isWhole || crashed["stack"].written.isEmpty ? frames.elements : nil
    }

    /// What the key is made of.
    private struct Material {
        private var parts: [String] = []

        var key: String { SHA256.fingerprint(parts) }

        mutating func add(text: String) { parts.append(text) }

        mutating func add(_ finding: JSONFinding?) {
            parts.append(String(decoding: finding.written, as: UTF8.self))
        }

        mutating func add(template finding: JSONFinding?) {
            parts.append(MessageTemplate.of(finding?.text ?? ""))
        }

        mutating func add(frames: [JSONFinding]) {
            parts.append("\(frames.count)")
            for frame in frames {
                for name: StaticString in ["build_id", "relative_addr", "symbol", "function", "module"] {
                    add(frame[name])
                }
                let isPlaced = !frame["build_id"].written.isEmpty && !frame["relative_addr"].written.isEmpty
                add(isPlaced ? nil : frame["instruction_addr"])
            }
        }
    }
}
