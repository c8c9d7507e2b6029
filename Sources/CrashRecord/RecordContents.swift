// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// The sections of a record, decoded into the layout's own types.
struct RecordContents {
    struct Thread {
        var head: vaka_thread
        var registers: [UInt64]
    }

    struct Frames {
        var head: vaka_frames
        var frames: [vaka_frame]
    }

    struct Memory {
        var head: vaka_memory
        var bytes: ArraySlice<UInt8>
    }

    struct Image {
        var head: vaka_image
        var path: String
    }

    struct Text {
        var head: vaka_text
        var text: String
    }

    private(set) var reason: vaka_reason?
    private(set) var sender: vaka_sender?
    private(set) var run: vaka_run_header?
    private(set) var context: RunContext?
    private(set) var breadcrumbs: BreadcrumbSlots?
    private(set) var exchanges: ExchangeSlots?
    private(set) var threads: [Thread] = []
    private(set) var frames: [Frames] = []
    private(set) var stacks: [Memory] = []
    private(set) var memory: [Memory] = []
    private(set) var images: [Image] = []
    private(set) var texts: [Text] = []
    private(set) var losses: [vaka_loss] = []
    private(set) var snapshot: vaka_snapshot?
    private(set) var figures: ProcessFigures?
    private(set) var end: vaka_end?
    /// Sections that are whole but say something impossible.
    private(set) var malformed: [RecordSection] = []

    /// Words of stacks and registers that may hold texts were left out.
    var keepsPointersOnly: Bool {
        threads.contains { $0.head.flags & VAKA_THREAD_POINTERS_ONLY.rawValue != 0 }
            || stacks.contains { $0.head.flags & VAKA_MEMORY_POINTERS_ONLY.rawValue != 0 }
    }

    init(_ sections: [RecordSection]) {
        for section in sections {
            if !take(section) { malformed.append(section) }
        }
        context = RunContext.newest(sections.filter { $0.isKind(VAKA_SECTION_CONTEXT) }.map(\.payload))
    }

    /// False when the payload is shorter than what it says it holds.
    private mutating func take(_ section: RecordSection) -> Bool {
        var reader = ByteReader(section.payload)
        switch vaka_section_kind(rawValue: UInt32(section.kind)) {
        case VAKA_SECTION_REASON:
            reason = reason ?? reader.next(vaka_reason.self)
            return reason != nil
        case VAKA_SECTION_SENDER:
            sender = reader.next(vaka_sender.self)
            return sender != nil
        case VAKA_SECTION_FIGURES:
            figures = ProcessFigures(section.payload)
            return figures != nil
        case VAKA_SECTION_RUN:
            run = RunFile.header(section.payload)
            return run != nil
        case VAKA_SECTION_BREADCRUMBS:
            breadcrumbs = BreadcrumbSlots(section.payload)
        case VAKA_SECTION_EXCHANGES:
            exchanges = ExchangeSlots(section.payload)
        case VAKA_SECTION_THREAD: return takeThread(&reader)
        case VAKA_SECTION_FRAMES: return takeFrames(&reader)
        case VAKA_SECTION_STACK:
            return Self.memory(&reader).map { stacks.append($0) } != nil
        case VAKA_SECTION_MEMORY:
            return Self.memory(&reader).map { memory.append($0) } != nil
        case VAKA_SECTION_IMAGES: return takeImages(&reader)
        case VAKA_SECTION_TEXT:
            guard let head = reader.next(vaka_text.self) else { return false }
            texts.append(Text(head: head, text: CrashRecord.text(reader.rest)))
        case VAKA_SECTION_SNAPSHOT:
            snapshot = reader.next(vaka_snapshot.self)
            return snapshot != nil
        case VAKA_SECTION_LOSS:
            losses += reader.rest(as: vaka_loss.self)
        case VAKA_SECTION_END:
            end = reader.next(vaka_end.self)
            return end != nil
        default: break
        }
        return true
    }

    private mutating func takeThread(_ reader: inout ByteReader) -> Bool {
        guard let head = reader.next(vaka_thread.self) else { return false }
        let registers = reader.rest(as: UInt64.self)
        guard registers.count == Int(head.register_count) else { return false }
        threads.append(Thread(head: head, registers: registers))
        return true
    }

    private mutating func takeFrames(_ reader: inout ByteReader) -> Bool {
        guard let head = reader.next(vaka_frames.self) else { return false }
        let walked = reader.rest(as: vaka_frame.self)
        guard walked.count == Int(head.count) else { return false }
        frames.append(Frames(head: head, frames: walked))
        return true
    }

    private static func memory(_ reader: inout ByteReader) -> Memory? {
        guard let head = reader.next(vaka_memory.self), head.bytes <= UInt64(reader.remaining),
            !head.address.addingReportingOverflow(head.bytes).overflow
        else { return nil }
        return Memory(head: head, bytes: reader.rest.prefix(Int(head.bytes)))
    }

    private mutating func takeImages(_ reader: inout ByteReader) -> Bool {
        guard let head = reader.next(vaka_images.self) else { return false }
        for _ in 0..<head.count {
            guard let image = reader.next(vaka_image.self), image.build_id_bytes <= VAKA_BUILD_ID_MAX,
                let path = reader.next(count: Int(image.path_bytes))
            else { return false }
            images.append(Image(head: image, path: text(path)))
            reader.align()
        }
        return true
    }
}
