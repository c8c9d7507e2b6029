// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// The worker's answer; the event's document follows it.
struct WorkerReply {
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

    var failure: Failure?
    var image: Image?
    var package: Package?
    var bundle: Bundle?
    var section: Section?
    /// After `identify`, in hexadecimal.
    var identified: String?
    /// After `sources`: the images whose source bundles would tell more.
    var waitingForSources: [String]?
    var summary: Summary?

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case failure, image, package, bundle, section, identified, waitingForSources, summary
    }
}

extension WorkerReply: JSONReadable, JSONWritable {
    init(from json: inout JSONReader) throws {
        self.init()
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .failure: failure = try json.decoded()
            case .image: image = try json.decoded()
            case .package: package = try json.decoded()
            case .bundle: bundle = try json.decoded()
            case .section: section = try json.decoded()
            case .identified: identified = try json.optional()
            case .waitingForSources: waitingForSources = try json.value()
            case .summary: summary = try json.value()
            }
        }
    }

    func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.bundle, encoded: bundle)
            try json.memberIfKnown(CodingKeys.failure, encoded: failure)
            try json.memberIfKnown(CodingKeys.identified, identified)
            try json.memberIfKnown(CodingKeys.image, encoded: image)
            try json.memberIfKnown(CodingKeys.package, encoded: package)
            try json.memberIfKnown(CodingKeys.section, encoded: section)
            try json.memberIfKnown(CodingKeys.summary, summary)
            try json.memberIfKnown(CodingKeys.waitingForSources, waitingForSources)
        }
    }
}
