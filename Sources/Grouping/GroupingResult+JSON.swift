// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension GroupingResult: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var (keys, title, culprit): ([GroupingKey]?, String?, String?)
        var (explain, version, basis): ([FrameDecision]?, Int?, Basis?)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .keys: keys = try json.value()
            case .title: title = try json.value()
            case .culprit: culprit = try json.optional()
            case .explain: explain = try json.value()
            case .version: version = try json.value()
            case .basis: basis = try json.value()
            }
        }
        self.init(
            keys: try json.require(keys, CodingKeys.keys), title: try json.require(title, CodingKeys.title),
            culprit: culprit, explain: try json.require(explain, CodingKeys.explain),
            version: try json.require(version, CodingKeys.version), basis: try json.require(basis, CodingKeys.basis))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.basis, basis)
            try json.memberIfKnown(CodingKeys.culprit, culprit)
            try json.member(CodingKeys.explain, explain)
            try json.member(CodingKeys.keys, keys)
            try json.member(CodingKeys.title, title)
            try json.member(CodingKeys.version, version)
        }
    }
}

extension GroupingResult.Basis: JSONReadable, JSONWritable {}
extension GroupingKey.Kind: JSONReadable, JSONWritable {}

extension GroupingKey: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var (kind, value, material): (Kind?, String?, [String]?)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .kind: kind = try json.value()
            case .value: value = try json.value()
            case .material: material = try json.value()
            }
        }
        self.kind = try json.require(kind, CodingKeys.kind)
        self.value = try json.require(value, CodingKeys.value)
        self.material = try json.require(material, CodingKeys.material)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.kind, kind)
            try json.member(CodingKeys.material, material)
            try json.member(CodingKeys.value, value)
        }
    }
}

extension FrameDecision: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var (index, function, module): (Int?, String?, String?)
        var (rule, kept, why): (String?, Bool?, String?)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .index: index = try json.value()
            case .function: function = try json.value()
            case .module: module = try json.optional()
            case .rule: rule = try json.value()
            case .kept: kept = try json.value()
            case .why: why = try json.value()
            }
        }
        self.init(
            index: try json.require(index, CodingKeys.index),
            function: try json.require(function, CodingKeys.function), module: module,
            rule: try json.require(rule, CodingKeys.rule), kept: try json.require(kept, CodingKeys.kept),
            why: try json.require(why, CodingKeys.why))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.function, function)
            try json.member(CodingKeys.index, index)
            try json.member(CodingKeys.kept, kept)
            try json.memberIfKnown(CodingKeys.module, module)
            try json.member(CodingKeys.rule, rule)
            try json.member(CodingKeys.why, why)
        }
    }
}
