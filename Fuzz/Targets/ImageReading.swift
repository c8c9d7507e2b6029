// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import VakaModel

/// Every way in which an ELF file is read: as `vaka check` does, as a lookup does, and as the image of a crash.
package enum ImageReading {
    /// Comes back, whatever the file holds; true when it could be opened for lookups.
    @discardableResult
    package static func everything(path: String) -> Bool {
        let check = ImageCheck(path: path)
        precondition(!check.text.isEmpty)
        _ = ImageQuality(check)
        for source in (try? SourceFileList(path: path))?.files ?? [] {
            precondition(!source.path.isEmpty, "a source without a path")
        }
        guard let file = try? ELFFile(path: path) else { return false }
        let identity = ELFIdentifier.identity(of: file)
        let addresses = addresses(file)
        let isOpen = lookUp(path, addresses)
        walk(path, identity, addresses)
        return isOpen
    }

    private static func lookUp(_ path: String, _ addresses: [UInt64]) -> Bool {
        guard let file = try? DebugFile(path: path) else { return false }
        let renderer = LookupRenderer()
        for address in addresses {
            let frames = file.lookup(address: address, nearestLines: true)
            _ = file.lookup(address: address, inlines: false)
            _ = file.symbol(at: address)
            _ = renderer.text(frames)
            precondition((try? renderer.json(address: address, frames)) != nil, "a lookup that cannot be written")
        }
        _ = (file.hasSymbols, file.problem)
        return true
    }

    /// Stacks that go through the file, so that its call frame information is run.
    private static func walk(_ path: String, _ identity: ELFIdentity, _ addresses: [UInt64]) {
        let bias: UInt64 = 0x5555_5555_0000
        var stack = Data()
        for index in 0..<12 {
            let value = addresses.isEmpty ? 0 : addresses[index % addresses.count] &+ bias
            withUnsafeBytes(of: value) { stack.append(contentsOf: $0) }
        }
        let top: UInt64 = 0x7fff_0000
        var event = Event(
            eventID: String(repeating: "0", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal, arch: identity.machine)
        event.threads = addresses.prefix(8).enumerated().map { index, address in
            var registers: [String: HexAddress] = [
                "rip": HexAddress(address &+ bias), "pc": HexAddress(address &+ bias),
            ]
            for name in ["rsp", "sp"] { registers[name] = HexAddress(top) }
            for name in ["rbp", "x29", "rax", "rbx"] { registers[name] = HexAddress(top + 16) }
            return ThreadState(
                id: index, crashed: index == 0, registers: registers,
                stack: MemoryRegion(address: HexAddress(top), data: stack))
        }
        event.debugImages = [
            DebugImage(
                buildID: identity.buildID, codeFile: path,
                imageAddress: HexAddress(identity.firstLoadAddress &+ bias), imageSize: identity.loadedSize)
        ]
        _ = EventChecks.symbolicated(event, symbolPaths: [path])
    }

    /// Ends and middles of what is code.
    private static func addresses(_ file: ELFFile) -> [UInt64] {
        let ranges =
            file.sections.filter(\.isExecutable).prefix(8).map { ($0.address, $0.size) }
            + file.segments.filter(\.isExecutable).prefix(4).map { ($0.address, $0.memorySize) }
        let places = ranges.flatMap { start, size in
            stride(from: 0 as UInt64, to: 8, by: 1).map { start &+ size / 8 &* $0 &+ $0 } + [start &+ size &- 1]
        }
        return places + [0, .max]
    }
}
