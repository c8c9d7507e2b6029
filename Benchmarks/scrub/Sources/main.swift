// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Privacy
import VakaModel

/// An event as a crash of a program with six threads makes it, of about 25 kB; four of its forty lines hold a secret.
func event() -> Event {
    var event = Event(
        eventID: String(repeating: "0a", count: 16), type: .crash,
        timestamp: Timestamp(milliseconds: 1_700_000_000_000),
        level: .fatal, arch: "x86_64")
    event.release = "app@1.0"
    event.user = ["id": "u1"]
    event.contexts = ["process": ["executable": "/home/ann/app", "pid": 17]]
    event.breadcrumbs = (0..<40).map { number in
        let secret = number % 10 == 0 ? ", password=x\(number)" : ""
        return Breadcrumb(
            timestamp: Timestamp(milliseconds: 1), category: "stderr",
            message: "line \(number): the quick brown fox jumps over the lazy dog" + secret)
    }
    event.threads = (0..<6).map { thread in
        let frames = (0..<8).map { frame in
            Frame(
                instructionAddress: HexAddress(0x7f12_3456_0000 + UInt64(thread * 100 + frame)), trust: .cfi,
                symbol: nil, function: nil, module: "libfoo.so.\(frame)", buildID: BuildID(hex: "abcd0123456789abcdef"),
                relativeAddress: HexAddress(UInt64(frame) << 8), inApp: true, status: .noSymbol)
        }
        return ThreadState(id: thread, name: "worker", crashed: thread == 0, frames: frames)
    }
    event.debugImages = (0..<10).map { number in
        DebugImage(
            buildID: BuildID(hex: "abcd0123456789abcdef"), codeFile: "/usr/lib/x86_64-linux-gnu/libfoo.so.\(number)",
            imageAddress: HexAddress(0x7f12_3456_0000), imageSize: 4096)
    }
    return event
}

func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let document = try ModelCoding.encode(event())
let scrubber = PayloadScrubber(.usual)
var best = Double.infinity
for _ in 0..<10 {
    let start = processorSeconds()
    for _ in 0..<200 { _ = try scrubber.scrub(document, .event) }
    best = min(best, (processorSeconds() - start) / 200)
}
print("scrub_event_bytes \(document.count) bytes")
print("scrub_event_25kB \((best * 1e7).rounded() / 10) us")
