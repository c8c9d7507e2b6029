// SPDX-License-Identifier: Apache-2.0

extension Frame: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var address: HexAddress?
        var trust: FrameTrust?
        self.init(instructionAddress: HexAddress(0), trust: .scan)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .instructionAddress: address = try json.value()
            case .trust: trust = try json.value()
            case .inlined: inlined = try json.defaulted()
            case .symbol: symbol = try json.optional()
            case .function: function = try json.optional()
            case .file: file = try json.optional()
            case .line: line = try json.optional()
            case .column: column = try json.optional()
            case .module: module = try json.optional()
            case .buildID: buildID = try json.optional()
            case .relativeAddress: relativeAddress = try json.optional()
            case .inApp: inApp = try json.optional()
            case .status: status = try json.optional()
            case .notes: notes = try json.defaulted()
            case .sourceContext: sourceContext = try json.optional()
            }
        }
        instructionAddress = try json.require(address, CodingKeys.instructionAddress)
        self.trust = try json.require(trust, CodingKeys.trust)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.buildID, buildID)
            try json.member(CodingKeys.column, column)
            try json.member(CodingKeys.file, file)
            try json.member(CodingKeys.function, function)
            try json.member(CodingKeys.inApp, inApp)
            try json.member(CodingKeys.inlined, inlined)
            try json.member(CodingKeys.instructionAddress, instructionAddress)
            try json.member(CodingKeys.line, line)
            try json.member(CodingKeys.module, module)
            try json.member(CodingKeys.notes, notes)
            try json.member(CodingKeys.relativeAddress, relativeAddress)
            try json.member(CodingKeys.sourceContext, sourceContext)
            try json.member(CodingKeys.status, status)
            try json.member(CodingKeys.symbol, symbol)
            try json.member(CodingKeys.trust, trust)
        }
    }
}
