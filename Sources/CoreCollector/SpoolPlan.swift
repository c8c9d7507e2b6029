// SPDX-License-Identifier: Apache-2.0
import CoreFile
import VakaModel

/// Which memory of a core is worth keeping, decided before it comes: the stacks, what identifies images, their data, and
/// of the rest the small pieces whole and of the large ones both ends, within a bound.
struct SpoolPlan {
    private static let page: UInt64 = 4096
    private static let crashedStackBytes: UInt64 = 8 << 20
    private static let mostStackBytes: UInt64 = 1 << 20
    private static let leastStackBytes: UInt64 = 16 << 10
    private static let allStackBytes: UInt64 = 32 << 20
    /// Of the images' data, where the texts of a last error are pointed to from.
    private static let imageBytes: UInt64 = 32 << 20
    private static let mostHeaders = 8192
    private static let vdsoBytes: UInt64 = 16 << 10

    /// Without gaps between those that touch, by address.
    private var ranges: [Range<UInt64>] = []

    init(notes: CoreNotes, head: CoreHead, mappings: FileMappings, bytes: UInt64) {
        let memory = head.parts.filter { !$0.isNotes }
        var wanted = Self.stacks(notes, head) + Self.headers(notes)
        wanted += Self.images(memory.filter { mappings.isFile($0.address) })
        wanted += Self.rest(memory.filter { !mappings.isFile($0.address) }, bytes)
        wanted.sort { $0.lowerBound < $1.lowerBound }
        for range in wanted {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// What of a part of memory is to be kept, by address.
    func kept(of part: CoreHead.Part) -> [Range<UInt64>] {
        let whole = part.address..<part.address + part.bytes
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= whole.lowerBound { low = middle + 1 } else { high = middle }
        }
        return ranges[low...].prefix { $0.lowerBound < whole.upperBound }.map { $0.clamped(to: whole) }
    }

    private static func range(_ start: UInt64, _ bytes: UInt64) -> Range<UInt64> {
        let end = start.addingReportingOverflow(bytes)
        return start..<(end.overflow ? .max : end.partialValue)
    }

    /// From a page below each thread's stack pointer on, and the code it was at, should that have been made at run time.
    private static func stacks(_ notes: CoreNotes, _ head: CoreHead) -> [Range<UInt64>] {
        let others = max(1, UInt64(notes.threads.count))
        let each = max(leastStackBytes, min(mostStackBytes, allStackBytes / others))
        return notes.threads.enumerated().flatMap { index, thread -> [Range<UInt64>] in
            let values = CoreRegisters.values(thread.registers, machine: head.machine)
            guard let sp = (values["rsp"] ?? values["sp"])?.rawValue, let pc = (values["rip"] ?? values["pc"])?.rawValue
            else { return [] }
            let start = sp > page ? sp - page : 0
            let code = pc > page ? pc - page : 0
            return [range(start, index == 0 ? crashedStackBytes : each), range(code, 2 * page)]
        }
    }

    /// What a core has of mapped files is what the program changed, unless more was asked of the kernel: of each the
    /// start, within a bound for all.
    private static func images(_ parts: [CoreHead.Part]) -> [Range<UInt64>] {
        let share = fairShare(parts.map(\.bytes), imageBytes)
        return parts.map { range($0.address, min($0.bytes, share)) }
    }

    /// The first page of each mapped file, which is an image's header.
    private static func headers(_ notes: CoreNotes) -> [Range<UInt64>] {
        let files = notes.files.filter { $0.fileOffset == 0 }.prefix(mostHeaders)
        return files.map { range($0.start, page) } + (notes.vdso.map { [range($0, vdsoBytes)] } ?? [])
    }

    /// Of every other part (the heap, stacks, what a runtime allocates) so much that all together keep within `bytes`:
    /// half from its start, half from its end, where stacks begin and heaps grow.
    private static func rest(_ parts: [CoreHead.Part], _ bytes: UInt64) -> [Range<UInt64>] {
        let share = fairShare(parts.map(\.bytes), bytes)
        return parts.flatMap { part -> [Range<UInt64>] in
            if part.bytes <= share { return [range(part.address, part.bytes)] }
            let half = share / 2 & ~(page - 1)
            return [range(part.address, half), range(part.address + part.bytes - half, half)]
        }
    }

    /// The largest size to which all can be cut so that their sum stays within `bytes`.
    private static func fairShare(_ sizes: [UInt64], _ bytes: UInt64) -> UInt64 {
        var rest = bytes
        for (index, size) in sizes.sorted().enumerated() {
            let share = rest / UInt64(sizes.count - index)
            guard size <= share else { return share }
            rest -= size
        }
        return .max
    }
}
