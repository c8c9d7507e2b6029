// SPDX-License-Identifier: Apache-2.0

extension Hang: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var watch: String?
        var bound: Double?
        var stuck: Double?
        self.init(watch: "", bound: 0, stuck: 0)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .watch: watch = try json.value()
            case .bound: bound = try json.value()
            case .stuck: stuck = try json.value()
            case .outcome: outcome = try json.optional()
            case .duration: duration = try json.optional()
            }
        }
        self.watch = try json.require(watch, CodingKeys.watch)
        self.bound = try json.require(bound, CodingKeys.bound)
        self.stuck = try json.require(stuck, CodingKeys.stuck)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.bound, bound)
            try json.member(CodingKeys.duration, duration)
            try json.member(CodingKeys.outcome, outcome)
            try json.member(CodingKeys.stuck, stuck)
            try json.member(CodingKeys.watch, watch)
        }
    }
}
