// SPDX-License-Identifier: Apache-2.0

extension Event: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var (version, id, type, time): (Int?, String?, EventType?, Timestamp?)
        var (platform, level): (String?, Level?)
        self.init(eventID: "", type: .crash, timestamp: Timestamp(milliseconds: 0), level: .fatal)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .schemaVersion: version = try json.value()
            case .eventID: id = try json.value()
            case .type: type = try json.value()
            case .timestamp: time = try json.value()
            case .platform: platform = try json.value()
            case .level: level = try json.value()
            default: try readFact(key, &json)
            }
        }
        schemaVersion = try json.require(version, CodingKeys.schemaVersion)
        eventID = try json.require(id, CodingKeys.eventID)
        self.type = try json.require(type, CodingKeys.type)
        timestamp = try json.require(time, CodingKeys.timestamp)
        self.platform = try json.require(platform, CodingKeys.platform)
        self.level = try json.require(level, CodingKeys.level)
    }

    /// What an event may be without.
    private mutating func readFact(_ key: CodingKeys, _ json: inout JSONReader) throws {
        switch key {
        case .schemaVersion, .eventID, .type, .timestamp, .platform, .level: break
        case .arch: arch = try json.optional()
        case .contexts: contexts = try json.defaulted()
        case .errors: errors = try json.defaulted()
        case .release: release = try json.optional()
        case .environment: environment = try json.optional()
        case .user: user = try json.optional()
        case .tags: tags = try json.defaulted()
        case .breadcrumbs: breadcrumbs = try json.defaulted()
        case .session: session = try json.optional()
        case .reason: reason = try json.optional()
        case .hang: hang = try json.optional()
        case .threads: threads = try json.defaulted()
        case .debugImages: debugImages = try json.defaulted()
        case .loss: loss = try json.defaulted()
        case .fingerprint: fingerprint = try json.optional()
        case .memory: memory = try json.optional()
        case .sampleRate: sampleRate = try json.optional()
        case .network: network = try json.optional()
        case .capabilities: capabilities = try json.optional()
        }
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.arch, arch)
            try json.member(CodingKeys.breadcrumbs, breadcrumbs)
            try json.memberIfKnown(CodingKeys.capabilities, capabilities)
            try json.member(CodingKeys.contexts, contexts)
            try json.member(CodingKeys.debugImages, debugImages)
            try json.member(CodingKeys.environment, environment)
            try json.member(CodingKeys.errors, errors)
            try json.member(CodingKeys.eventID, eventID)
            try json.memberIfKnown(CodingKeys.fingerprint, fingerprint)
            try json.memberIfKnown(CodingKeys.hang, hang)
            try json.member(CodingKeys.level, level)
            try json.member(CodingKeys.loss, loss)
            try json.memberIfKnown(CodingKeys.memory, memory)
            try json.memberIfKnown(CodingKeys.network, network)
            try json.member(CodingKeys.platform, platform)
            try json.member(CodingKeys.reason, reason)
            try json.member(CodingKeys.release, release)
            try json.memberIfKnown(CodingKeys.sampleRate, sampleRate)
            try json.member(CodingKeys.schemaVersion, schemaVersion)
            try json.member(CodingKeys.session, session)
            try json.member(CodingKeys.tags, tags)
            try json.member(CodingKeys.threads, threads)
            try json.member(CodingKeys.timestamp, timestamp)
            try json.member(CodingKeys.type, type)
            try json.member(CodingKeys.user, user)
        }
    }
}
