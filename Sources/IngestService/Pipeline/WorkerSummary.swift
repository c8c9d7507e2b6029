// SPDX-License-Identifier: Apache-2.0
import EventStore
import Grouping
import VakaModel

extension WorkerReply {
    /// What the server has to know of an event that its worker has worked on.
    struct Summary {
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
            let images = ImagesOfFrames(event)
            waitingFor = images.wanting
            waitingForSources = images.withoutSource
            self.images = images.all
            searchTexts = event.searchTexts
            self.grouping = grouping
            self.grouping.explain = []
            self.isRepaired = isRepaired
        }

        enum CodingKeys: String, JSONKey {
            static let names = JSONNames(Self.self)
            case eventID, type, level, timestamp, release, environment, user, hasMemory, waitingFor, waitingForSources
            case images, searchTexts, grouping, isRepaired, documentSize
        }
    }
}

extension WorkerReply.Summary: JSONReadable, JSONWritable {
    init(from json: inout JSONReader) throws {
        var (eventID, type, level, timestamp): (String?, String?, String?, Timestamp?)
        var (release, environment, user): (String?, String?, String?)
        var (waitingFor, waitingForSources, images): ([String]?, [String]?, [String]?)
        var (searchTexts, grouping): ([SearchText]?, GroupingResult?)
        var (hasMemory, isRepaired, documentSize): (Bool?, Bool?, Int?)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .eventID: eventID = try json.value()
            case .type: type = try json.value()
            case .level: level = try json.value()
            case .timestamp: timestamp = try json.value()
            case .release: release = try json.optional()
            case .environment: environment = try json.optional()
            case .user: user = try json.optional()
            case .hasMemory: hasMemory = try json.value()
            case .waitingFor: waitingFor = try json.value()
            case .waitingForSources: waitingForSources = try json.value()
            case .images: images = try json.value()
            case .searchTexts: searchTexts = try json.value()
            case .grouping: grouping = try json.value()
            case .isRepaired: isRepaired = try json.value()
            case .documentSize: documentSize = try json.value()
            }
        }
        self.eventID = try json.require(eventID, CodingKeys.eventID)
        self.type = try json.require(type, CodingKeys.type)
        self.level = try json.require(level, CodingKeys.level)
        self.timestamp = try json.require(timestamp, CodingKeys.timestamp)
        (self.release, self.environment, self.user) = (release, environment, user)
        self.hasMemory = try json.require(hasMemory, CodingKeys.hasMemory)
        self.waitingFor = try json.require(waitingFor, CodingKeys.waitingFor)
        self.waitingForSources = try json.require(waitingForSources, CodingKeys.waitingForSources)
        self.images = try json.require(images, CodingKeys.images)
        self.searchTexts = try json.require(searchTexts, CodingKeys.searchTexts)
        self.grouping = try json.require(grouping, CodingKeys.grouping)
        self.isRepaired = try json.require(isRepaired, CodingKeys.isRepaired)
        self.documentSize = try json.require(documentSize, CodingKeys.documentSize)
    }

    func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.documentSize, documentSize)
            try json.memberIfKnown(CodingKeys.environment, environment)
            try json.member(CodingKeys.eventID, eventID)
            try json.member(CodingKeys.grouping, grouping)
            try json.member(CodingKeys.hasMemory, hasMemory)
            try json.member(CodingKeys.images, images)
            try json.member(CodingKeys.isRepaired, isRepaired)
            try json.member(CodingKeys.level, level)
            try json.memberIfKnown(CodingKeys.release, release)
            try json.member(CodingKeys.searchTexts, searchTexts)
            try json.member(CodingKeys.timestamp, timestamp)
            try json.member(CodingKeys.type, type)
            try json.memberIfKnown(CodingKeys.user, user)
            try json.member(CodingKeys.waitingFor, waitingFor)
            try json.member(CodingKeys.waitingForSources, waitingForSources)
        }
    }
}
