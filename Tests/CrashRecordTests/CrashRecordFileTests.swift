// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import TestSupport
import Testing
import VakaModel

@testable import CrashRecord

@Suite struct CrashRecordFileTests {
    @Test func aWholeRecordIsReadWholly() throws {
        let file = try CrashRecordFile(bytes: SampleRecord.bytes())
        #expect(file.damage.isEmpty)
        #expect(file.isComplete)
        let event = file.event()
        #expect(event.eventID == "0102030405060708090a0b0c0d0e0f10")
        #expect(event.arch == "x86_64")
        #expect(event.timestamp.description == "2023-11-14T22:13:20.000Z")
        #expect(event.reason?.signal == "SIGILL")
        #expect(event.reason?.code == "ILL_ILLOPN")
        #expect(event.reason?.exception == "EXC_BREAKPOINT")
        #expect(event.reason?.message == "Fatal error: no configuration")
        #expect(event.reason?.messageSource == .swift)
        #expect(event.loss == [Loss(what: "3 debug images", why: "more were loaded than the record has room for")])
    }

    @Test func theThreadHasItsRegistersFramesAndStack() throws {
        let event = try CrashRecordFile(bytes: SampleRecord.bytes()).event()
        let thread = try #require(event.crashedThread)
        #expect(thread.name == "main")
        #expect(thread.registers["rip"] == HexAddress(SampleRecord.imageAddress + 0x1100))
        #expect(thread.registers["rsp"] == HexAddress(SampleRecord.stackAddress + 16))
        #expect(thread.registers.count == 18)
        #expect(thread.frames.map(\.trust) == [.context, .framePointer])
        #expect(thread.frames.first?.module == "shop")
        #expect(thread.frames.first?.relativeAddress == HexAddress(0x1100))
        #expect(thread.stack?.data.count == 64)
        #expect(!thread.framesTruncated)
    }

    @Test func theRunTravelsWithTheCrash() throws {
        let event = try CrashRecordFile(bytes: SampleRecord.bytes()).event()
        #expect(event.release == "shop@1.2.3")
        #expect(event.environment == "production")
        #expect(event.user == ["id": "user-7"])
        #expect(event.tags == ["flavor": "free"])
        #expect(event.breadcrumbs.map(\.message) == ["first", "second"])
        #expect(event.breadcrumbs.first?.data == ["item": 42])
        #expect(event.breadcrumbs.first?.level == .warning)
        #expect(event.session?.status == .crashed)
        #expect(event.session?.duration == 10)
        #expect(event.contexts["host"]?["cpu_count"] == 2)
        #expect(event.contexts["process"]?["uptime_s"] == .number(8.5))
    }

    @Test func onlyReferencedImagesAreKeptForSending() throws {
        let event = try CrashRecordFile(bytes: SampleRecord.bytes()).event()
        #expect(event.debugImages.count == 2)
        #expect(event.keepingReferencedImages().debugImages.map(\.name) == ["shop"])
    }

    @Test func theDocumentSurvivesItsOwnCoding() throws {
        let event = try CrashRecordFile(bytes: SampleRecord.bytes()).event()
        let data = try ModelCoding.encode(event)
        #expect(try ModelCoding.decode(Event.self, from: data) == event)
        #expect(try ModelCoding.encode(ModelCoding.decode(Event.self, from: data)) == data)
    }

    @Test func aRecordOfAnotherMachineIsRefusedWithItsNumber() {
        let error = #expect(throws: CrashRecordError.self) {
            try CrashRecordFile(bytes: RecordWriter(architecture: 243).bytes)
        }
        #expect(error?.code == .unsupportedArchitecture)
        #expect(error?.message.contains("243") == true)
    }

    @Test func aNewerFormatIsRefusedWithTheNextStep() {
        let error = #expect(throws: CrashRecordError.self) { try CrashRecordFile(bytes: RecordWriter(major: 2).bytes) }
        #expect(error?.code == .newerVersion)
    }

    @Test func otherFilesAreNoRecords() {
        #expect(throws: CrashRecordError.self) { try CrashRecordFile(bytes: Array("#!/bin/sh\necho\n".utf8)) }
        let empty = #expect(throws: CrashRecordError.self) {
            try CrashRecordFile(bytes: Array(repeating: 0, count: 4096))
        }
        #expect(empty?.code == .empty)
    }

    @Test func sectionsOfALaterVersionAreSkipped() throws {
        var writer = RecordWriter()
        writer.add(kind: 999, [1, 2, 3])
        writer.add(VAKA_SECTION_REASON, SampleRecord.reason())
        writer.end()
        let file = try CrashRecordFile(bytes: writer.bytes)
        #expect(file.damage.isEmpty)
        #expect(file.event().reason?.signal == "SIGILL")
    }
}
