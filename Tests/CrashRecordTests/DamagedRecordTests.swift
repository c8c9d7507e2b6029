// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import TestSupport
import Testing
import VakaModel

@testable import CrashRecord

@Suite struct DamagedRecordTests {
    private let whole = SampleRecord.bytes()

    /// Cut at every byte: the sections before the cut are all there, in order, and the loss is told.
    @Test func everyCutIsReadAsFarAsItGoes() throws {
        let complete = try CrashRecordFile(bytes: whole)
        for length in 0..<whole.count {
            let cut = Array(whole.prefix(length))
            guard let file = try? CrashRecordFile(bytes: cut) else {
                #expect(length < 64, "a cut at \(length) gave nothing")
                continue
            }
            let expected = complete.sections.filter { $0.offset + 32 + $0.payload.count <= length }
            #expect(file.sections.map(\.kind) == expected.map(\.kind), "cut at \(length)")
            #expect(!file.isComplete)
            #expect(!file.event().loss.isEmpty)
        }
    }

    /// Any one byte changed: at most one section is lost, and the others are as they were.
    @Test(arguments: [UInt8(0xff), 0x01, 0x80])
    func everyChangedByteCostsOneSectionAtMost(mask: UInt8) throws {
        let complete = try CrashRecordFile(bytes: whole)
        for position in whole.indices {
            var changed = whole
            changed[position] ^= mask
            let file = try CrashRecordFile(bytes: changed)
            #expect(file.sections.count >= complete.sections.count - 1, "byte \(position)")
            for section in file.sections {
                let original = complete.sections.first { $0.sequence == section.sequence }
                #expect(original?.payload.elementsEqual(section.payload) == true, "byte \(position)")
            }
            let event = file.event()
            #expect(event.eventID.count == 32)
            _ = event.keepingReferencedImages()
        }
    }

    /// A damaged header leaves the run's id and the architecture of the registers.
    @Test func aDamagedHeaderCostsTheHeaderOnly() throws {
        var changed = whole
        changed[20] ^= 1
        let event = try CrashRecordFile(bytes: changed).event()
        #expect(event.arch == "x86_64")
        #expect(event.threads.first?.registers.count == 18)
        #expect(event.loss.contains { $0.why.contains("header does not match") })
    }

    @Test func aSectionThatClaimsMoreThanThereIsIsToldAndNotBelieved() throws {
        for claim in [UInt64.max, UInt64(Int64.max), 1 << 40, 1000] {
            var writer = RecordWriter()
            writer.add(VAKA_SECTION_REASON, SampleRecord.reason())
            writer.add(kind: UInt16(VAKA_SECTION_STACK.rawValue), [1, 2, 3], claimedBytes: claim)
            writer.add(VAKA_SECTION_TEXT, SampleRecord.text(VAKA_TEXT_HOST, "neighbour"))
            let file = try CrashRecordFile(bytes: writer.bytes)
            #expect(file.event().reason?.message == "neighbour")
            #expect(file.damage.count == 1, "\(file.damage)")
        }
    }

    /// Counts inside a payload that do not fit it, under a right checksum.
    @Test func payloadsThatContradictThemselvesAreTold() throws {
        let lies: [(vaka_section_kind, [UInt8])] = [
            (
                VAKA_SECTION_THREAD,
                RecordWriter.raw(
                    vaka_thread(
                        tid: 1, flags: 3, name: SampleRecord.emptyName, register_count: .max, reserved: 0))
            ),
            (VAKA_SECTION_FRAMES, RecordWriter.raw(vaka_frames(tid: 1, count: .max, flags: 0, reserved: 0))),
            (VAKA_SECTION_IMAGES, RecordWriter.raw(vaka_images(count: .max, reserved: 0))),
            (VAKA_SECTION_STACK, RecordWriter.raw(vaka_memory(address: .max, bytes: .max, tid: 1, flags: 0))),
            (
                VAKA_SECTION_MEMORY,
                RecordWriter.raw(vaka_memory(address: .max - 1, bytes: 4, tid: 1, flags: 0)) + [1, 2, 3, 4]
            ),
            (VAKA_SECTION_REASON, [1, 2, 3]), (VAKA_SECTION_RUN, Array(repeating: 9, count: 256)),
            (VAKA_SECTION_TEXT, [1]),
            (VAKA_SECTION_END, []),
        ]
        for (kind, payload) in lies {
            var writer = RecordWriter()
            writer.add(kind, payload)
            writer.add(VAKA_SECTION_LOSS, [])
            let event = try CrashRecordFile(bytes: writer.bytes).event()
            #expect(event.loss.contains { $0.what.contains("section") }, "\(kind)")
        }
    }

    /// Random sections under right checksums, seeded: nothing traps, and the document can be written.
    @Test func randomPayloadsNeverTrap() throws {
        var random = SeededRandom(seed: 0x5eed)
        for _ in 0..<3000 {
            var writer = RecordWriter()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let length = Int.random(in: 0...300, using: &random)
                let limits: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]
                let extreme = Bool.random(using: &random)
                let payload: [UInt8] = (0..<length).map { _ in
                    extreme ? limits[Int.random(in: 0..<5, using: &random)] : UInt8.random(in: 0...255, using: &random)
                }
                writer.add(kind: UInt16.random(in: 1...13, using: &random), payload)
            }
            let event = try CrashRecordFile(bytes: writer.bytes).event()
            _ = try ModelCoding.encode(event.keepingReferencedImages())
        }
    }
}

extension SampleRecord {
    fileprivate static var emptyName:
        (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    {
        vaka_thread().name
    }
}
