// SPDX-License-Identifier: Apache-2.0

extension Session: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var id: String?
        var started: Timestamp?
        var status: SessionStatus?
        self.init(id: "", started: Timestamp(milliseconds: 0), status: .ok)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .id: id = try json.value()
            case .started: started = try json.value()
            case .status: status = try json.value()
            case .duration: duration = try json.optional()
            case .errors: errors = try json.optional()
            case .release: release = try json.optional()
            case .environment: environment = try json.optional()
            case .cause: cause = try json.optional()
            case .window: window = try json.optional()
            case .requests: requests = try json.optional()
            case .sampleRate: sampleRate = try json.optional()
            }
        }
        self.id = try json.require(id, CodingKeys.id)
        self.started = try json.require(started, CodingKeys.started)
        self.status = try json.require(status, CodingKeys.status)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.cause, cause)
            try json.member(CodingKeys.duration, duration)
            try json.member(CodingKeys.environment, environment)
            try json.member(CodingKeys.errors, errors)
            try json.member(CodingKeys.id, id)
            try json.member(CodingKeys.release, release)
            try json.memberIfKnown(CodingKeys.requests, requests)
            try json.memberIfKnown(CodingKeys.sampleRate, sampleRate)
            try json.member(CodingKeys.started, started)
            try json.member(CodingKeys.status, status)
            try json.memberIfKnown(CodingKeys.window, window)
        }
    }
}
