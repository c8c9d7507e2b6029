// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord

/// A small record with one of everything.
package enum SampleRecord {
    package static let stackAddress: UInt64 = 0x7ffc_0000_1000
    package static let imageAddress: UInt64 = 0x5555_5555_4000

    /// `text` is Swift's fatal-error text.
    package static func bytes(text fatal: String = "Fatal error: no configuration\n") -> [UInt8] {
        var writer = RecordWriter()
        writer.add(VAKA_SECTION_REASON, reason())
        writer.add(VAKA_SECTION_RUN, runHeader())
        writer.add(VAKA_SECTION_CONTEXT, context(generation: 4, [(.init(VAKA_CONTEXT_TAG.rawValue), "flavor", "old")]))
        writer.add(VAKA_SECTION_CONTEXT, context(generation: 5, currentContext))
        writer.add(VAKA_SECTION_THREAD, thread())
        writer.add(VAKA_SECTION_FRAMES, frames())
        writer.add(VAKA_SECTION_TEXT, text(VAKA_TEXT_SWIFT, fatal))
        writer.add(VAKA_SECTION_STACK, memory(stackAddress, Array(repeating: 7, count: 64), tid: 42))
        writer.add(VAKA_SECTION_IMAGES, images())
        writer.add(VAKA_SECTION_BREADCRUMBS, breadcrumb(2, "second") + breadcrumb(1, "first"))
        writer.add(VAKA_SECTION_MEMORY, memory(imageAddress + 0x1100, [0x0f, 0x0b], tid: 0))
        writer.add(VAKA_SECTION_LOSS, RecordWriter.raw(vaka_loss(kind: 2, argument: 0, value: 3)))
        writer.end()
        return writer.bytes
    }

    package static let currentContext: [(UInt16, String, String)] = [
        (UInt16(VAKA_CONTEXT_RELEASE.rawValue), "release", "shop@1.2.3"),
        (UInt16(VAKA_CONTEXT_RELEASE.rawValue), "environment", "production"),
        (UInt16(VAKA_CONTEXT_USER.rawValue), "id", "user-7"),
        (UInt16(VAKA_CONTEXT_TAG.rawValue), "flavor", "free"),
        (UInt16(VAKA_CONTEXT_SESSION.rawValue), "id", "5e55"),
        (UInt16(VAKA_CONTEXT_SESSION.rawValue), "started", "2023-11-14T22:13:10.000Z"),
        (UInt16(VAKA_CONTEXT_HOST.rawValue), "cpu_count", "2"),
        (UInt16(VAKA_CONTEXT_OS.rawValue), "name", "Debian GNU/Linux"),
    ]

    package static func reason() -> [UInt8] {
        var reason = vaka_reason()
        reason.signal = 4
        reason.code = 2
        reason.flags = VAKA_REASON_FAULT_ADDRESS.rawValue
        reason.fault_address = imageAddress + 0x1100
        reason.pid = 42
        reason.tid = 42
        reason.crashed_realtime_ns = 1_700_000_000_000_000_000
        reason.crashed_boottime_ns = 9_500_000_000
        reason.reader = VAKA_READER_PROCESS_VM.rawValue
        return RecordWriter.raw(reason)
    }

    package static func runHeader() -> [UInt8] {
        var header = vaka_run_header()
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array(VAKA_RUN_MAGIC.utf8)) }
        header.version = UInt32(VAKA_RUN_VERSION)
        header.architecture = UInt32(VAKA_ARCH_X86_64)
        withUnsafeMutableBytes(of: &header.run_id) { $0.copyBytes(from: (101...116).map { UInt8($0) }) }
        header.pid = 42
        header.context_buffer_bytes = VAKA_CONTEXT_BUFFER_BYTES
        header.breadcrumb_slot_bytes = VAKA_BREADCRUMB_SLOT_BYTES
        header.breadcrumb_slots = VAKA_BREADCRUMB_SLOTS
        header.started_realtime_ns = 1_699_999_990_000_000_000
        header.started_boottime_ns = 1_000_000_000
        header.header_crc = RecordWriter.crc(Array(RecordWriter.raw(header).prefix(100)))
        header.state = VAKA_RUN_CRASHING.rawValue
        return RecordWriter.raw(header)
    }

    package static func context(generation: UInt32, _ entries: [(UInt16, String, String)]) -> [UInt8] {
        var body: [UInt8] = []
        for (scope, key, value) in entries {
            let head = vaka_context_entry(
                scope: scope, key_bytes: UInt16(key.utf8.count), value_bytes: UInt32(value.utf8.count))
            body += RecordWriter.raw(head) + Array(key.utf8) + Array(value.utf8)
            body += Array(repeating: 0, count: (8 - body.count % 8) % 8)
        }
        let head = vaka_context_header(
            magic: VAKA_CONTEXT_MAGIC, generation: generation, used_bytes: UInt32(body.count),
            entries_crc: RecordWriter.crc(body), entries_dropped: 0, reserved: 0)
        return RecordWriter.raw(head) + body
    }

    package static func thread() -> [UInt8] {
        var thread = vaka_thread()
        thread.tid = 42
        thread.flags = VAKA_THREAD_CRASHED.rawValue | VAKA_THREAD_REGISTERS.rawValue | VAKA_THREAD_NAME.rawValue
        withUnsafeMutableBytes(of: &thread.name) { $0.copyBytes(from: Array("main".utf8)) }
        thread.register_count = UInt32(VAKA_REGISTERS_X86_64)
        let registers: [UInt64] =
            (0..<16).map { $0 == 7 ? stackAddress + 16 : UInt64($0) } + [imageAddress + 0x1100, 0x246]
        return RecordWriter.raw(thread) + registers.flatMap { RecordWriter.raw($0) }
    }

    package static func frames() -> [UInt8] {
        let walked = [
            vaka_frame(
                instruction_address: imageAddress + 0x1100, stack_pointer: stackAddress + 16, trust: 1, flags: 0),
            vaka_frame(instruction_address: imageAddress + 0x1200, stack_pointer: 0, trust: 4, flags: 0),
        ]
        let head = vaka_frames(tid: 42, count: 2, flags: VAKA_FRAMES_COMPLETE.rawValue, reserved: 0)
        return RecordWriter.raw(head) + walked.flatMap { RecordWriter.raw($0) }
    }

    package static func text(_ source: vaka_text_source, _ text: String) -> [UInt8] {
        RecordWriter.raw(vaka_text(source: source.rawValue, flags: 0)) + Array(text.utf8)
    }

    package static func memory(_ address: UInt64, _ bytes: [UInt8], tid: Int32) -> [UInt8] {
        RecordWriter.raw(vaka_memory(address: address, bytes: UInt64(bytes.count), tid: tid, flags: 0)) + bytes
    }

    package static func images() -> [UInt8] {
        image(imageAddress, 0x3000, "/srv/shop/bin/shop", id: 0xab)
            + image(0x7f00_0000_0000, 0x1000, "/lib/libx.so", id: 0)
    }

    private static func image(_ address: UInt64, _ bytes: UInt64, _ path: String, id: UInt8) -> [UInt8] {
        var image = vaka_image()
        image.image_address = address
        image.image_bytes = bytes
        image.load_bias = address
        image.path_bytes = UInt16(path.utf8.count)
        image.build_id_bytes = id == 0 ? 0 : 20
        withUnsafeMutableBytes(of: &image.build_id) { $0.copyBytes(from: Array(repeating: id, count: 20)) }
        let head = address == imageAddress ? RecordWriter.raw(vaka_images(count: 2, reserved: 0)) : []
        let entry = head + RecordWriter.raw(image) + Array(path.utf8)
        return entry + Array(repeating: 0, count: (8 - entry.count % 8) % 8)
    }

    package static func breadcrumb(_ sequence: UInt64, _ message: String) -> [UInt8] {
        var head = vaka_breadcrumb()
        head.sequence = sequence
        head.timestamp_ns = 1_699_999_995_000_000_000 + sequence
        head.level = UInt16(VAKA_LEVEL_WARNING.rawValue)
        let category = Array("cart".utf8)
        let data = Array("{\"item\":42}".utf8)
        let body = category + Array(message.utf8) + data
        head.category_bytes = UInt16(category.count)
        head.message_bytes = UInt16(message.utf8.count)
        head.data_bytes = UInt16(data.count)
        head.crc = RecordWriter.crc(RecordWriter.raw(head) + body)
        let slot = RecordWriter.raw(head) + body
        return slot + Array(repeating: 0, count: Int(VAKA_BREADCRUMB_SLOT_BYTES) - slot.count)
    }
}
