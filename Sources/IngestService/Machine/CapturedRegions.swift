// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// The memory that was captured with an event; none where it is hidden from who asks.
struct CapturedRegions {
    private static let most = 40
    /// Bytes before and after where a register points; the stack's is the part in use.
    private static let (before, after): (UInt64, UInt64) = (16, 48)
    private static let (beforeStack, afterStack): (UInt64, UInt64) = (32, 256)

    private let regions: [MemoryRegion]
    private let hidden: Bool
    private static let membersOnly = "captured memory is shown to members of the project only"

    init(_ event: Event, hidden: Bool) {
        self.hidden = hidden
        regions = hidden ? [] : (event.threads.compactMap(\.stack) + (event.memory ?? [])).filter { !$0.data.isEmpty }
    }

    var isEmpty: Bool { regions.isEmpty }

    var whyEmpty: String { hidden ? Self.membersOnly : "no memory was captured, or it is no longer kept" }

    /// Why there are no bytes at an address.
    var whyNotThere: String { hidden ? Self.membersOnly : "the memory there was not captured" }

    /// What there is of the bytes around an address, and where in them it is; nil where it was not captured.
    func bytes(around address: UInt64, before: UInt64, after: UInt64) -> (bytes: [UInt8], position: Int)? {
        for region in regions {
            let start = region.address.rawValue
            guard address >= start, address - start < UInt64(region.data.count) else { continue }
            let offset = address - start
            let first = offset - min(offset, before)
            let end = min(UInt64(region.data.count), offset + min(after, UInt64(region.data.count) - offset))
            let base = region.data.startIndex
            return (Array(region.data[base + Int(first)..<base + Int(end)]), Int(offset - first))
        }
        return nil
    }

    /// Where registers point, those that meet joined.
    func around(_ registers: [MachineState.Register], stackPointer: Set<String>) -> [MachineState.Region] {
        var found: [(registers: [String], start: UInt64, bytes: [UInt8])] = []
        for register in registers {
            let isStack = stackPointer.contains(register.name)
            let part = bytes(
                around: register.value.rawValue, before: isStack ? Self.beforeStack : Self.before,
                after: isStack ? Self.afterStack : Self.after)
            guard let part, found.count < Self.most else { continue }
            found.append(([register.name], register.value.rawValue - UInt64(part.position), part.bytes))
        }
        found.sort { ($0.start, $0.bytes.count) < ($1.start, $1.bytes.count) }
        return Self.joined(found).map { part in
            MachineState.Region(
                registers: part.registers, address: HexAddress(part.start), bytes: Hexadecimal.text(part.bytes))
        }
    }

    private static func joined(
        _ parts: [(registers: [String], start: UInt64, bytes: [UInt8])]
    ) -> [(registers: [String], start: UInt64, bytes: [UInt8])] {
        var result: [(registers: [String], start: UInt64, bytes: [UInt8])] = []
        for part in parts {
            guard let last = result.last, part.start - last.start <= UInt64(last.bytes.count) else {
                result.append(part)
                continue
            }
            let overlap = last.bytes.count - Int(part.start - last.start)
            result[result.count - 1].registers += part.registers
            result[result.count - 1].bytes += part.bytes.dropFirst(overlap)
        }
        return result
    }
}
