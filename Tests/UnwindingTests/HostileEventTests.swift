// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// Events that no honest program sends: the unwinder comes back, in time, within its bounds.
@Suite struct HostileEventTests {
    private let files = ["/bin/true", "/bin/bash", "/lib/x86_64-linux-gnu/libc.so.6", "/etc/hostname", "/nonexistent"]

    private func check(_ event: Event, _ comment: Comment? = nil) {
        let start = ContinuousClock.now
        let result = Unwinder.onThisMachine.unwind(event)
        #expect(ContinuousClock.now - start < .seconds(10), comment)
        for thread in result.threads {
            #expect(thread.frames.count <= StackWalk.maximumFrames, comment)
            #expect(thread.frames.filter { $0.trust == .scan }.count <= 8, comment)
        }
    }

    private func event(arch: String?, registers: [String: UInt64], stack: MemoryRegion?, images: [DebugImage]) -> Event
    {
        var event = Event(
            eventID: "0", type: .crash, timestamp: Timestamp(milliseconds: 0), level: .fatal, arch: arch)
        event.threads = [
            ThreadState(id: 1, crashed: true, registers: registers.mapValues { HexAddress($0) }, stack: stack)
        ]
        event.debugImages = images
        return event
    }

    @Test(arguments: 0..<60) func randomEvents(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let architecture = seed.isMultiple(of: 4) ? "arm64" : "x86_64"
        let names = Architecture(name: architecture)?.registerNames ?? []
        let extremes: [UInt64] = [0, 1, 0xfff, 1 << 47, 1 << 63, .max - 0xfff, .max - 8, .max]
        let images = (0..<Int(random.next() % 12)).map { _ in
            let start = random.next().isMultiple(of: 3) ? extremes.randomElement(using: &random)! : random.next() >> 17
            return DebugImage(
                buildID: nil, codeFile: files.randomElement(using: &random), imageAddress: HexAddress(start & ~0xfff),
                imageSize: random.next().isMultiple(of: 3) ? .max : random.next() >> 40,
                loadBias: random.next().isMultiple(of: 2) ? nil : HexAddress(random.next()))
        }
        func interesting() -> UInt64 {
            if random.next().isMultiple(of: 5) { return extremes.randomElement(using: &random)! }
            guard let image = images.randomElement(using: &random) else { return random.next() }
            return image.imageAddress.rawValue &+ random.next() % max(1, min(image.imageSize, 1 << 21))
        }
        let base = random.next().isMultiple(of: 4) ? .max - 4095 : random.next() >> 18 & ~7
        var data = Data()
        for _ in 0..<512 {
            // Return addresses, frame pointers into the stack, noise.
            let kind = random.next() % 3
            let value = kind == 0 ? interesting() : kind == 1 ? base &+ random.next() % 4096 & ~7 : random.next()
            withUnsafeBytes(of: value) { data.append(contentsOf: $0) }
        }
        var registers: [String: UInt64] = [:]
        for name in names {
            registers[name] = random.next().isMultiple(of: 2) ? interesting() : base &+ random.next() % 4096
        }
        check(
            event(
                arch: architecture, registers: registers, stack: MemoryRegion(address: HexAddress(base), data: data),
                images: images), "seed \(seed)")
    }

    @Test func frameRecordThatPointsToItself() {
        let base: UInt64 = 0x7fff_0000
        var data = Data()
        for index in 0..<64 as Range<UInt64> {
            withUnsafeBytes(of: index.isMultiple(of: 2) ? base : 0x40_1000) { data.append(contentsOf: $0) }
        }
        let image = DebugImage(buildID: nil, codeFile: nil, imageAddress: HexAddress(0x40_0000), imageSize: 0x10000)
        let event = event(
            arch: "x86_64", registers: ["rip": 0x40_1000, "rsp": base, "rbp": base],
            stack: MemoryRegion(address: HexAddress(base), data: data), images: [image])
        check(event)
        #expect(Unwinder.onThisMachine.unwind(event).threads[0].framesTruncated)
    }

    @Test func emptyAndUnknown() {
        check(event(arch: nil, registers: ["rip": 1 as UInt64], stack: nil, images: []))
        check(event(arch: "x86_64", registers: [:], stack: nil, images: []))
        check(event(arch: "x86_64", registers: ["rip": .max, "rsp": .max, "rbp": .max], stack: nil, images: []))
        let unknown = Unwinder.onThisMachine.unwind(event(arch: "vax", registers: ["pc": 1], stack: nil, images: []))
        #expect(unknown.loss.first?.why.contains("vax") == true)
        let noPointer = Unwinder.onThisMachine.unwind(
            event(arch: "arm64", registers: ["x0": 1], stack: nil, images: []))
        #expect(noPointer.loss.first?.why.contains("program counter") == true)
    }

    @Test func changedBytesOfARealCrash() throws {
        let crasher = try #require(Crasher.all.first { $0.name == "qsort-abort" }, "build it with `make crashers`")
        let truth = try GdbTruth.of(crasher)
        var random = SeededRandom(seed: 42)
        for round in 0..<200 {
            var event = truth.event
            var data = truth.stack.data
            for _ in 0..<8 {
                data[data.startIndex + Int(random.next() % UInt64(data.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            event.threads[0].stack?.data = data
            check(event, "round \(round)")
        }
    }
}
