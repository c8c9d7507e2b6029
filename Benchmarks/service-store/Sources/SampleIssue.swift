// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import IngestService
import VakaModel

/// A problem and the events that it makes. Its stack is one, and so are the documents of its events but for what is
/// written beside them: to encode a million would measure nothing of the store.
struct SampleIssue {
    private static let frames = 40
    private static let crumbs = 20
    private static let day: Int64 = 86_400_000

    private let number: Int
    private let event: Event
    private let document: Data
    private let grouping: Data
    private let result: GroupingResult
    private let vocabulary: Vocabulary
    private let user: Range<UInt64>

    init(_ number: Int, users: Int, vocabulary: Vocabulary, random: inout SplitMix64) throws {
        self.number = number
        self.vocabulary = vocabulary
        user = 0..<UInt64(users)
        var event = Event(
            eventID: Self.eventID(number, 0), type: number % 5 == 0 ? .error : .crash, timestamp: .now, level: .fatal,
            arch: "x86_64")
        event.reason = Reason(signal: "SIGSEGV", number: 11, code: "SEGV_MAPERR", message: vocabulary.message(&random))
        event.threads = [Self.thread(vocabulary, &random)]
        event.breadcrumbs = (0..<Self.crumbs).map { _ in
            Breadcrumb(timestamp: .now, category: "http", message: vocabulary.crumb(&random))
        }
        self.event = event
        result = Grouping.group(event)
        document = try Zstandard.compress(try ModelCoding.encode(event))
        grouping = try Zstandard.compress(try ModelCoding.encode(result))
    }

    private static func thread(_ vocabulary: Vocabulary, _ random: inout SplitMix64) -> ThreadState {
        let frames = (0..<Self.frames).map { index in
            let function = vocabulary.function(&random)
            return Frame(
                instructionAddress: HexAddress(0x40_0000 + random.next() % 0x10_0000),
                trust: index == 0 ? .context : .cfi,
                symbol: function, function: function, file: vocabulary.file(of: function),
                line: Int(random.next() % 2000), module: "app", buildID: BuildID(hex: "abcdef0123456789"),
                relativeAddress: HexAddress(random.next() % 0x10_0000), inApp: true, status: .symbolicated)
        }
        return ThreadState(id: 1, name: "main", crashed: true, frames: frames)
    }

    private static func eventID(_ issue: Int, _ number: Int) -> String {
        let digits = String(UInt64(issue) << 32 | UInt64(number), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// One more event of it, somewhere in the last 90 days.
    func event(_ number: Int, project: Int64, now: Timestamp, random: inout SplitMix64) -> ProcessedEvent {
        let time = Timestamp(milliseconds: now.milliseconds - Int64(random.next() % UInt64(90 * Self.day)))
        let release = "app@1.\(random.next() % 40)"
        var texts = event
        texts.reason?.message = vocabulary.message(&random)
        texts.tags = [
            "host": "web-\(random.next() % 200)", "region": "eu-\(random.next() % 4)", "plan": "p\(random.next() % 3)",
        ]
        texts.breadcrumbs = (0..<Self.crumbs).map { _ in
            Breadcrumb(timestamp: time, category: "http", message: vocabulary.crumb(&random))
        }
        return ProcessedEvent(
            source: .spool(sequence: -1), project: project, eventID: Self.eventID(self.number, number),
            type: event.type.rawValue, level: event.level.rawValue, timestamp: time, receivedAt: time, release: release,
            environment: random.next() % 10 == 0 ? "staging" : "production",
            user: "user-\(UInt64.random(in: user, using: &random))", title: result.title, culprit: result.culprit,
            document: document, grouping: grouping, report: nil, memory: .none, waitingFor: [],
            keys: result.keys.map { IssueKey(kind: $0.kind.rawValue, value: $0.value) },
            groupingVersion: result.version, basis: .names, imageRevision: 0, searchTexts: texts.searchTexts)
    }
}
