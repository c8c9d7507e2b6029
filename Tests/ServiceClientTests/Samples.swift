// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Synchronization
import VakaModel

@testable import ServiceClient

/// A clock that only sleeping moves.
final class SleepingClock: Timekeeper {
    private let state = Mutex<(uptime: Duration, naps: [Duration])>((.zero, []))

    var uptime: Duration { state.withLock { $0.uptime } }
    var time: Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + Int64(uptime / .milliseconds(1))) }
    var naps: [Duration] { state.withLock { $0.naps } }

    func policy(bound: Duration = .seconds(60)) -> RetryPolicy {
        RetryPolicy(bound: bound, timekeeper: self) { nap in
            self.state.withLock { state in
                state.uptime += nap
                state.naps.append(nap)
            }
        }
    }
}

/// A crash with everything that makes an event large.
func sampleCrash(_ id: String = "00112233445566778899aabbccddeeff", stackBytes: Int = 256, breadcrumbs: Int = 4)
    -> Event
{
    var event = Event(
        eventID: id, type: .crash, timestamp: Timestamp(milliseconds: 1_800_000_005_000), level: .fatal, arch: "x86_64")
    event.release = "app@1.0"
    event.session = Session(id: "s1", started: Timestamp(milliseconds: 1_800_000_000_000), status: .ok)
    event.breadcrumbs = (0..<breadcrumbs).map { index in
        Breadcrumb(timestamp: event.timestamp, category: "test", message: "breadcrumb \(index)")
    }
    func stack(_ address: UInt64) -> MemoryRegion {
        MemoryRegion(address: HexAddress(address), data: Data(repeating: 0x41, count: stackBytes))
    }
    event.threads = [
        ThreadState(
            id: 1, crashed: true, registers: ["rip": HexAddress(0x5000)],
            frames: [Frame(instructionAddress: HexAddress(0x5000), trust: .context)], stack: stack(0x7f00_0000_0000)),
        ThreadState(id: 2, stack: stack(0x7e00_0000_0000)),
    ]
    event.debugImages = [
        DebugImage(buildID: BuildID(hex: "aa"), codeFile: "/app", imageAddress: HexAddress(0x4000), imageSize: 0x2000),
        DebugImage(
            buildID: BuildID(hex: "bb"), codeFile: "/usr/lib/unused.so", imageAddress: HexAddress(0x9000),
            imageSize: 0x1000),
    ]
    return event
}
