// SPDX-License-Identifier: Apache-2.0

extension DebugImage: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var type: String?
        var address: HexAddress?
        self.init(buildID: nil, codeFile: nil, imageAddress: HexAddress(0), imageSize: 0)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .type: type = try json.value()
            case .buildID: buildID = try json.optional()
            case .debugID: debugID = try json.optional()
            case .codeFile: codeFile = try json.optional()
            case .imageAddress: address = try json.value()
            case .imageSize: imageSize = try json.defaulted()
            case .loadBias: loadBias = try json.optional()
            case .status: status = try json.optional()
            case .source: source = try json.optional()
            }
        }
        self.type = try json.require(type, CodingKeys.type)
        imageAddress = try json.require(address, CodingKeys.imageAddress)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.buildID, buildID)
            try json.member(CodingKeys.codeFile, codeFile)
            try json.member(CodingKeys.debugID, debugID)
            try json.member(CodingKeys.imageAddress, imageAddress)
            try json.member(CodingKeys.imageSize, imageSize)
            try json.member(CodingKeys.loadBias, loadBias)
            try json.member(CodingKeys.source, source)
            try json.member(CodingKeys.status, status)
            try json.member(CodingKeys.type, type)
        }
    }
}
