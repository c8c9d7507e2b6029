// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension ThreadState: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var id: Int?
        self.init(id: 0)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .id: id = try json.value()
            case .name: name = try json.optional()
            case .crashed: crashed = try json.defaulted()
            case .current: current = try json.optional()
            case .pointersOnly: pointersOnly = try json.optional()
            case .registers: registers = try json.defaulted()
            case .frames: frames = try json.defaulted()
            case .framesTruncated: framesTruncated = try json.defaulted()
            case .stack: stack = try json.optional()
            }
        }
        self.id = try json.require(id, CodingKeys.id)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.crashed, crashed)
            try json.memberIfKnown(CodingKeys.current, current)
            try json.member(CodingKeys.frames, frames)
            try json.member(CodingKeys.framesTruncated, framesTruncated)
            try json.member(CodingKeys.id, id)
            try json.member(CodingKeys.name, name)
            try json.memberIfKnown(CodingKeys.pointersOnly, pointersOnly)
            try json.member(CodingKeys.registers, registers)
            try json.memberIfKnown(CodingKeys.stack, stack)
        }
    }
}

extension MemoryRegion: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var address: HexAddress?
        var data: Data?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .address: address = try json.value()
            case .data: data = try json.value()
            }
        }
        self.init(
            address: try json.require(address, CodingKeys.address), data: try json.require(data, CodingKeys.data))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.address, address)
            try json.member(CodingKeys.data, data)
        }
    }
}
