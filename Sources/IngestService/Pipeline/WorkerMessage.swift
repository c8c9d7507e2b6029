// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import Grouping
import VakaModel

/// What the server asks of its worker process; the event's or nothing's bytes follow it.
struct WorkerJob: Codable {
    enum Kind: String, Codable {
        /// Symbolicate and group the event that follows.
        case event
        /// Group the event that follows as it is: after symbolication has failed twice.
        case group
        /// Answer, to show that the worker lives.
        case ping
        /// Identify the file at `path` and move it into the image store.
        case image
        /// Check the `.dwp` package at `path`, of the image of `buildID`, and move it beside that.
        case package
        /// Check the source bundle at `path` and move it beside the images.
        case bundle
        /// Attach source lines to the symbolicated event that follows.
        case sources
        /// Answer with the source file `path` of the bundle of `buildID`.
        case sourceFile
        /// Answer where the section named by `path` lies in the files of `buildID`.
        case section
    }

    var kind: Kind
    var path: String?
    var buildID: BuildID?
    /// Changes when images were added: what is cached about missing ones is then forgotten.
    var imageRevision: Int64 = 0
    /// The file at `path` was fetched from another server as the image of this build id, and goes to such images.
    var fetchedBuildID: BuildID?
    var loss: [Loss] = []
}

/// The worker's answer; the event's document follows it.
struct WorkerReply: Codable {
    struct Failure: Codable, Error {
        var code: String
        var message: String
    }

    struct Image: Codable {
        var buildID: String
        var outcome: Outcome
        var machine: String
        var hasCode: Bool
        var hasDebugInfo: Bool
        var size: UInt64
        /// What it can give, and what it lacks.
        var findings: [ImageFinding]
    }

    enum Outcome: Codable {
        case stored
        /// Beside the files of the machine told, which came first under this build id.
        case storedAside(String)
        case alreadyThere, poorerThanStored

        init(_ outcome: ImageStore.AddOutcome) {
            switch outcome {
            case .stored: self = .stored
            case .storedAside(let machine): self = .storedAside(machine)
            case .alreadyThere: self = .alreadyThere
            case .poorerThanStored: self = .poorerThanStored
            }
        }
    }

    struct Package: Codable {
        var buildID: String
        var outcome: Outcome
        var size: UInt64
        var completedUnits: Int
        var splitUnits: Int
    }

    struct Bundle: Codable {
        var buildID: String
        var outcome: String
        var size: Int
        var files: Int
        var verified: Int
    }

    /// Where a section's bytes are, as they are in the file.
    struct Section: Codable {
        /// In the file with the code, not the one with the names.
        var isInExecutable: Bool
        var offset: UInt64
        var size: UInt64
    }

    struct Summary: Codable {
        var eventID: String
        var type: String
        var level: String
        var timestamp: Timestamp
        var release: String?
        var environment: String?
        var user: String?
        var hasMemory: Bool
        /// Images that would tell more about this event.
        var waitingFor: [String]
        /// Images whose source bundles would tell more.
        var waitingForSources: [String]
        /// Images that frames lie in.
        var images: [String]
        var searchTexts: [SearchText]
        /// Without its explanation, which the body holds.
        var grouping: GroupingResult
        /// Facts of the event could not be read, and were dropped.
        var isRepaired: Bool
        /// Of the body: the event's document; the whole grouping follows it.
        var documentSize = 0

        init(_ event: Event, grouping: GroupingResult, isRepaired: Bool = false) {
            eventID = event.eventID
            type = event.type.rawValue
            level = event.level.rawValue
            timestamp = event.timestamp
            release = event.release
            environment = event.environment
            user = event.affectedUser
            hasMemory = event.hasMemory
            waitingFor = event.imagesThatWouldTellMore
            waitingForSources = event.imagesWithoutSource
            images = event.imagesOfFrames
            searchTexts = event.searchTexts
            self.grouping = grouping
            self.grouping.explain = []
            self.isRepaired = isRepaired
        }
    }

    var failure: Failure?
    var image: Image?
    var package: Package?
    var bundle: Bundle?
    var section: Section?
    /// After `sources`: the images whose source bundles would tell more.
    var waitingForSources: [String]?
    var summary: Summary?
}
