// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CoreFile
import CrashRecord
import Glibc
import VakaModel

/// The payloads of a record's sections that are not of one thread.
struct RecordSections {
    private static let codeBytes: UInt64 = 128
    private static let page: UInt64 = 4096

    let core: CollectedCore
    let facts: CoreFacts

    private var processID: Int32 {
        Int32(truncatingIfNeeded: core.notes.processID ?? core.notes.threads.first?.id ?? 0)
    }

    var header: vaka_record_header {
        var header = vaka_record_header()
        header.architecture = core.machine
        withUnsafeMutableBytes(of: &header.record_id) { $0.copyBytes(from: facts.recordID) }
        header.crashed_ns = facts.crashedRealtime
        header.pid = processID
        return header
    }

    func reason(_ known: CoreReason?) -> [UInt8] {
        var reason = vaka_reason()
        reason.pid = processID
        reason.tid = Int32(truncatingIfNeeded: core.notes.threads.first?.id ?? 0)
        reason.crashed_realtime_ns = facts.crashedRealtime
        reason.crashed_boottime_ns = facts.crashedBoottime
        if let known { fill(&reason, known) }
        return RecordFileWriter.bytes(reason)
    }

    private func fill(_ reason: inout vaka_reason, _ known: CoreReason) {
        reason.signal = known.signal
        // A core without it does not tell whether the kernel or a process sent the signal.
        reason.code = known.code ?? 0
        reason.error = known.error
        reason.syscall_number = known.systemCall ?? 0
        var flags: UInt32 = 0
        if let address = known.faultAddress {
            reason.fault_address = address
            flags |= VAKA_REASON_FAULT_ADDRESS.rawValue
        }
        if known.isComputed { flags |= VAKA_REASON_COMPUTED.rawValue }
        if let sender = known.sender {
            (reason.sender_pid, reason.sender_uid) = (sender.pid, sender.uid)
            flags |= VAKA_REASON_SENDER.rawValue
        }
        switch known.access {
        case .some(.read): flags |= VAKA_REASON_READ.rawValue
        case .some(.write): flags |= VAKA_REASON_WRITE.rawValue
        case .some(.execute): flags |= VAKA_REASON_EXECUTE.rawValue
        default: break
        }
        if known.kind == .stackOverflow { flags |= VAKA_REASON_STACK_OVERFLOW.rawValue }
        if known.kind == .nullCall { flags |= VAKA_REASON_NULL_CALL.rawValue }
        reason.flags = flags
    }

    /// When the process was started, as this host tells it; nil where it does not.
    func runHeader() -> [UInt8]? {
        guard let started = core.process?.startedSinceBoot, facts.crashedBoottime >= started else { return nil }
        var header = vaka_run_header()
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array(VAKA_RUN_MAGIC.utf8)) }
        header.version = UInt32(VAKA_RUN_VERSION)
        header.architecture = UInt32(core.machine)
        withUnsafeMutableBytes(of: &header.run_id) { $0.copyBytes(from: facts.recordID) }
        withUnsafeMutableBytes(of: &header.record_id) { $0.copyBytes(from: facts.recordID) }
        withUnsafeMutableBytes(of: &header.boot_id) { $0.copyBytes(from: Self.bootID()) }
        header.pid = processID
        header.started_boottime_ns = started
        header.started_realtime_ns = facts.crashedRealtime - min(facts.crashedRealtime, facts.crashedBoottime - started)
        header.header_crc = RecordFileWriter.checksum(RecordFileWriter.bytes(header).prefix(100))
        header.state = VAKA_RUN_CRASHED.rawValue
        return RecordFileWriter.bytes(header)
    }

    private static func bootID() -> [UInt8] {
        let text = (try? BoundedFile.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let digits = String(decoding: text, as: UTF8.self).filter(\.isHexDigit)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(digits.dropFirst(index).prefix(2), radix: 16)
        }
        return bytes.count == 16 ? bytes : Array(repeating: 0, count: 16)
    }

    func sender(_ pid: Int32, name: String) -> [UInt8] {
        var sender = vaka_sender()
        sender.pid = pid
        withUnsafeMutableBytes(of: &sender.name) { $0.copyBytes(from: Array(name.utf8.prefix(15))) }
        return RecordFileWriter.bytes(sender)
    }

    func text(_ text: MessageTexts.Text) -> [UInt8] {
        let head = vaka_text(source: text.source.rawValue, flags: text.isCut ? UInt32(VAKA_TEXT_CUT) : 0)
        return RecordFileWriter.bytes(head) + text.bytes
    }

    func memory(_ address: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        let head = vaka_memory(address: address, bytes: UInt64(bytes.count), tid: 0, flags: 0)
        return RecordFileWriter.bytes(head) + bytes
    }

    /// As far as it is known.
    func code(around pc: UInt64, memory: any ProcessMemory) -> [UInt8]? {
        guard !memory.bytes(pc, 1).isEmpty else { return nil }
        var start = pc > Self.codeBytes ? pc - Self.codeBytes : 0
        if memory.bytes(start, 1).isEmpty { start = pc & ~(Self.page - 1) }
        let bytes = memory.bytes(start, Int(pc - start + Self.codeBytes))
        return bytes.isEmpty ? nil : self.memory(start, bytes)
    }

    func images(_ images: [CoreImage]) -> [UInt8] {
        var payload = RecordFileWriter.bytes(vaka_images(count: UInt32(images.count), reserved: 0))
        for image in images { payload += entry(image) }
        return payload
    }

    private func entry(_ image: CoreImage) -> [UInt8] {
        let realPath = image.isExecutable ? facts.executable.map(CoreImages.plainPath) : nil
        let path = Array((realPath ?? image.image.codeFile ?? "").utf8.prefix(4096))
        let id = image.image.buildID?.bytes.prefix(Int(VAKA_BUILD_ID_MAX)) ?? []
        var head = vaka_image()
        head.image_address = image.image.imageAddress.rawValue
        head.image_bytes = image.image.imageSize
        head.load_bias = image.loadBias
        if image.isExecutable { head.flags |= VAKA_IMAGE_EXECUTABLE.rawValue }
        if image.isVDSO { head.flags |= VAKA_IMAGE_VDSO.rawValue }
        head.path_bytes = UInt16(path.count)
        head.build_id_bytes = UInt8(id.count)
        withUnsafeMutableBytes(of: &head.build_id) { $0.copyBytes(from: Array(id)) }
        let entry = RecordFileWriter.bytes(head) + path
        return entry + Array(repeating: 0, count: (8 - entry.count % 8) % 8)
    }
}
