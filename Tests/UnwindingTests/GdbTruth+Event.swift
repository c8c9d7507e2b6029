// SPDX-License-Identifier: Apache-2.0
import TestSupport
import VakaModel

@testable import Unwinding

extension Unwinder {
    /// Takes the files at their recorded path.
    static let onThisMachine = Unwinder { ImageFiles(code: $0.codeFile, debug: $0.codeFile) }
}

extension GdbTruth {
    /// An event of what gdb captured.
    var event: Event {
        var event = Event(
            eventID: "0", type: .crash, timestamp: Timestamp(milliseconds: 0), level: .fatal,
            arch: registers["rip"] == nil ? "arm64" : "x86_64")
        event.threads = [
            ThreadState(
                id: thread, crashed: true, registers: registers.mapValues { HexAddress($0) },
                stack: MemoryRegion(address: HexAddress(stack.address), data: stack.data))
        ]
        event.debugImages = images.map {
            DebugImage(buildID: nil, codeFile: $0.path, imageAddress: HexAddress($0.address), imageSize: $0.size)
        }
        return event
    }
}

extension GdbTruth.Frame {
    var text: String { "\(module ?? "-") 0x\(String(relative, radix: 16))" }
}

extension Frame {
    var text: String { "\(module ?? "-") \(relativeAddress ?? instructionAddress)" }
}
