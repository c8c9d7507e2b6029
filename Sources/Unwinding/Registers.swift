// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The registers of one frame by DWARF number; nil where a value is not known.
struct Registers: Sendable {
    let architecture: Architecture
    private var values: [UInt64?]

    init(architecture: Architecture) {
        self.architecture = architecture
        values = Array(repeating: nil, count: architecture.registerNames.count)
    }

    init(architecture: Architecture, named registers: [String: HexAddress]) {
        self.architecture = architecture
        values = architecture.registerNames.map { registers[$0]?.rawValue }
    }

    var count: Int { values.count }

    subscript(number: Int) -> UInt64? {
        get { values.indices.contains(number) ? values[number] : nil }
        set { if values.indices.contains(number) { values[number] = newValue } }
    }

    var programCounter: UInt64? {
        get { self[architecture.programCounter] }
        set { self[architecture.programCounter] = newValue }
    }

    var stackPointer: UInt64? {
        get { self[architecture.stackPointer] }
        set { self[architecture.stackPointer] = newValue }
    }

    var framePointer: UInt64? {
        get { self[architecture.framePointer] }
        set { self[architecture.framePointer] = newValue }
    }
}
