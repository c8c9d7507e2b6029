// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// An event, as a document (the bytes are JSON) or made of the bytes so that the unwinder is reached.
enum EventInput {
    private static let files = ["/lib/x86_64-linux-gnu/libc.so.6", "/bin/bash", "/etc/hostname", "/nonexistent"]

    static func run(_ bytes: [UInt8]) {
        if bytes.first == UInt8(ascii: "{") {
            guard let event = try? ModelCoding.decode(Event.self, from: Data(bytes)) else { return }
            EventChecks.check(event)
        } else {
            var made = BytesReader(bytes)
            EventChecks.check(event(&made), symbolPaths: Array(files.prefix(2)))
        }
    }

    private static func event(_ bytes: inout BytesReader) -> Event {
        let isArm = bytes.byte() & 7 == 7
        var event = Event(
            eventID: String(repeating: "0", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal, arch: isArm ? "arm64" : "x86_64")
        event.debugImages = (0..<Int(bytes.byte() & 3)).map { _ in
            DebugImage(
                buildID: nil, codeFile: files[Int(bytes.byte() & 3)], imageAddress: HexAddress(bytes.word()),
                imageSize: bytes.word(), loadBias: bytes.byte() & 1 == 0 ? nil : HexAddress(bytes.word()))
        }
        let names =
            isArm
            ? ["pc", "sp", "x29", "x30", "x19", "x0"] : ["rip", "rsp", "rbp", "rbx", "r12", "r13", "r14", "r15", "rax"]
        let threads = Int(bytes.byte() & 3) + 1
        let base = place(&bytes, event.debugImages, 0)
        for index in 0..<threads {
            var registers: [String: HexAddress] = [:]
            for name in names { registers[name] = HexAddress(place(&bytes, event.debugImages, base)) }
            var stack = Data()
            for _ in 0..<Int(bytes.byte()) {
                withUnsafeBytes(of: place(&bytes, event.debugImages, base)) { stack.append(contentsOf: $0) }
            }
            event.threads.append(
                ThreadState(
                    id: index, crashed: index == 0, registers: registers,
                    stack: MemoryRegion(address: HexAddress(base), data: stack)))
        }
        event.memory = [MemoryRegion(address: HexAddress(bytes.word()), data: Data(bytes.rest()))]
        return event
    }

    /// An address in an image, near the stack, or anywhere.
    private static func place(_ bytes: inout BytesReader, _ images: [DebugImage], _ base: UInt64) -> UInt64 {
        let kind = bytes.byte()
        switch kind & 7 {
        case 0...3 where !images.isEmpty:
            return images[Int(kind >> 3) % images.count].imageAddress.rawValue &+ UInt64(bytes.half())
                &* 32 &+ UInt64(kind >> 5)
        case 4, 5: return base &+ UInt64(bytes.byte()) &* 8
        default: return bytes.word()
        }
    }
}
