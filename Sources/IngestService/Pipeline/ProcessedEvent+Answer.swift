// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import VakaModel

extension ProcessedEvent {
    /// What the store keeps of an event that was worked on.
    init(
        _ source: Source, _ project: Int64, _ received: Timestamp, _ revision: Int64, _ answer: EventExaminer.Answer,
        report: @autoclosure () throws -> Data, installID: String? = nil
    ) throws {
        let summary = answer.summary
        let waits = !summary.waitingFor.isEmpty
        self.init(
            source: source, project: project, eventID: summary.eventID, type: summary.type, level: summary.level,
            timestamp: summary.timestamp, receivedAt: received, release: summary.release,
            environment: summary.environment, user: summary.user ?? installID.map(Event.asUser(installation:)),
            title: summary.grouping.title, culprit: summary.grouping.culprit,
            document: try Zstandard.compress(answer.document),
            grouping: try Zstandard.compress(answer.grouping), report: waits ? try report() : nil,
            memory: summary.hasMemory ? (waits ? .kept : .dropped) : .none, waitingFor: summary.waitingFor,
            waitingForSources: summary.waitingForSources, images: summary.images,
            keys: summary.grouping.keys.map(IssueKey.init),
            keysAsBefore: summary.grouping.keys.filter { Grouping.kindsAsBefore.contains($0.kind) }.map(IssueKey.init),
            groupingVersion: summary.grouping.version, basis: KeyBasis(summary.grouping.basis),
            imageRevision: revision, searchTexts: summary.searchTexts)
    }
}

extension IssueKey {
    fileprivate init(_ key: GroupingKey) {
        self.init(kind: key.kind.rawValue, value: key.value)
    }
}

extension KeyBasis {
    fileprivate init(_ basis: GroupingResult.Basis) {
        self =
            switch basis {
            case .names: .names
            case .addresses: .addresses
            case .remnants: .remnants
            }
    }
}
