// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import VakaModel

/// A key of an issue as the store knows it.
package struct IssueKey: Hashable, Sendable {
    package var kind: String
    package var value: String

    package init(kind: String, value: String) {
        self.kind = kind
        self.value = value
    }
}

/// What an issue's key rests on; decides what happens when symbols come.
package enum KeyBasis: Int, Sendable {
    case names = 0
    /// All of its events will get the same names.
    case addresses = 1
    /// Different problems may share it.
    case remnants = 2
}

/// What became of the memory that was captured with an event.
package enum MemoryState: String, Sendable {
    case none
    /// Kept until every frame is resolved.
    case kept
    /// Every frame is resolved.
    case dropped
    /// Its days were over before every frame was resolved.
    case expired
    /// It was removed to stay within the disk budget, before every frame was resolved.
    case givenUp = "given_up"
}

/// An event after symbolication and grouping, ready to be stored in one transaction.
package struct ProcessedEvent: Sendable {
    package enum Source: Sendable {
        case spool(sequence: Int64)
        case mend(eventRow: Int64)
    }

    package var source: Source
    package var project: Int64
    package var eventID: String
    package var type: String
    package var level: String
    package var timestamp: Timestamp
    package var receivedAt: Timestamp
    package var release: String?
    package var environment: String?
    /// Whom it happened to: the user's id, else the installation.
    package var user: String?
    /// The installation that sent it, where it is known.
    package var installID: String?
    package var title: String
    package var culprit: String?
    /// The document, in the service's compression.
    package var document: Data
    /// The grouping record, in the service's compression.
    package var grouping: Data
    /// The report to keep for a later attempt; nil when there is nothing to wait for.
    package var report: Data?
    package var memory: MemoryState
    /// Build ids whose images would tell more.
    package var waitingFor: [String]
    /// Build ids whose source bundles would tell more.
    package var waitingForSources: [String]
    /// Build ids of the images that frames lie in, whether they are there or not.
    package var images: [String]
    /// Primary key first.
    package var keys: [IssueKey]
    /// Those of `keys` that the grouping version before made alike.
    package var keysAsBefore: [IssueKey]
    package var groupingVersion: Int
    package var basis: KeyBasis
    package var imageRevision: Int64
    /// So many events of the issue are stored in a minute, the others counted only. Nil is no limit.
    package var storedPerMinute: Int?
    /// Its issue has its minute's worth: it was not looked into, and has no documents. It is counted where its keys are known.
    package var isCountedOnly = false
    package var searchTexts: [SearchText]

    package init(
        source: Source, project: Int64, eventID: String, type: String, level: String, timestamp: Timestamp,
        receivedAt: Timestamp, release: String?, environment: String?, user: String? = nil, title: String,
        culprit: String?, document: Data,
        grouping: Data, report: Data?, memory: MemoryState, waitingFor: [String],
        waitingForSources: [String] = [], images: [String] = [], keys: [IssueKey], keysAsBefore: [IssueKey] = [],
        groupingVersion: Int,
        basis: KeyBasis, imageRevision: Int64,
        searchTexts: [SearchText] = []
    ) {
        self.source = source
        self.project = project
        self.eventID = eventID
        self.type = type
        self.level = level
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.release = release
        self.environment = environment
        self.user = user
        self.title = title
        self.culprit = culprit
        self.document = document
        self.grouping = grouping
        self.report = report
        self.memory = memory
        self.waitingFor = waitingFor
        self.waitingForSources = waitingForSources
        self.images = images
        self.keys = keys
        self.keysAsBefore = keysAsBefore
        self.groupingVersion = groupingVersion
        self.basis = basis
        self.imageRevision = imageRevision
        self.searchTexts = searchTexts
    }
}

/// What storing an event did.
package enum StoreOutcome: Hashable, Sendable {
    case newIssue(Int64)
    case knownIssue(Int64)
    /// The issue had its minute's worth of events: this one is counted, its document is not stored.
    case throttled(Int64)
    /// The provisional issue's events went to the issue that was known already.
    case folded(from: Int64, into: Int64)
    /// The event did not belong with the others of its issue, which was made of remnants: it has one of its own now.
    case split(from: Int64, into: Int64)
    /// An event with this id is stored already.
    case duplicate
    /// It was to be counted only, and no issue has its keys any more: its spool row is left, to be worked on.
    case unknownKeys
}
