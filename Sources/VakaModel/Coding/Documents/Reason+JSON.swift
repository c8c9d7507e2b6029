// SPDX-License-Identifier: Apache-2.0

extension Reason: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        self.init()
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .signal: signal = try json.optional()
            case .number: number = try json.optional()
            case .code: code = try json.optional()
            case .exception: exception = try json.optional()
            case .faultAddress: faultAddress = try json.optional()
            case .access: access = try json.optional()
            case .kind: kind = try json.optional()
            case .senderPID: senderPID = try json.optional()
            case .senderName: senderName = try json.optional()
            case .message: message = try json.optional()
            case .messageSource: messageSource = try json.optional()
            }
        }
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.access, access)
            try json.member(CodingKeys.code, code)
            try json.member(CodingKeys.exception, exception)
            try json.member(CodingKeys.faultAddress, faultAddress)
            try json.member(CodingKeys.kind, kind)
            try json.member(CodingKeys.message, message)
            try json.member(CodingKeys.messageSource, messageSource)
            try json.member(CodingKeys.number, number)
            try json.member(CodingKeys.senderName, senderName)
            try json.member(CodingKeys.senderPID, senderPID)
            try json.member(CodingKeys.signal, signal)
        }
    }
}
