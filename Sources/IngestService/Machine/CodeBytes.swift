// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import VakaModel

/// The bytes around an instruction: as they were captured, else as the image's file has them.
struct CodeBytes {
    private static let (before, after): (UInt64, UInt64) = (64, 240)

    enum Answer {
        case found(CodeBytes)
        case missing(String)
    }

    var bytes: [UInt8]
    var position: Int
    /// `memory` or `image`.
    var source: String

    static func around(_ address: UInt64, _ event: Event, _ memory: CapturedRegions, _ finder: ImageFinder) -> Answer {
        if let captured = memory.bytes(around: address, before: before, after: after) {
            return .found(CodeBytes(bytes: captured.bytes, position: captured.position, source: "memory"))
        }
        guard let image = event.debugImages.first(where: { $0.contains(address) }) else {
            return .missing("the thread was at \(HexAddress(address)), which is in no image")
        }
        let name = image.name ?? "the image"
        let found = finder.find(image, machine: event.arch.flatMap(ELFIdentifier.machine(named:)))
        guard let path = found.codePath else {
            return .missing("the file of \(name) with its code is not here: upload it")
        }
        finder.activity?.reads(path)
        defer { finder.activity?.rests() }
        guard let file = try? ELFFile(path: path), let code = read(file, address, image) else {
            return .missing("the file of \(name) has no code at this address")
        }
        return .found(code)
    }

    private static func read(_ file: ELFFile, _ address: UInt64, _ image: DebugImage) -> CodeBytes? {
        guard let first = file.segments.first else { return nil }
        let bias = image.loadBias?.rawValue ?? image.imageAddress.rawValue &- (first.address & ~0xFFF)
        let linked = address &- bias
        let segment = file.segments.first { segment in
            segment.isExecutable && linked >= segment.address && linked - segment.address < segment.fileSize
        }
        guard let segment else { return nil }
        let offset = linked - segment.address
        let start = offset - min(offset, before)
        let count = min(segment.fileSize - start, offset - start + after)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard let place = off_t(exactly: segment.offset &+ start),
            pread(file.descriptor, &bytes, bytes.count, place) == bytes.count
        else { return nil }
        return CodeBytes(bytes: bytes, position: Int(offset - start), source: "image")
    }
}
