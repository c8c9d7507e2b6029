// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import VakaModel

/// Makes the document out of a record's contents.
struct EventBuilder {
    let file: CrashRecordFile
    let contents: RecordContents

    func event() -> Event {
        let context = contents.context ?? RunContext()
        var event = Event(
            eventID: eventID, type: .crash, timestamp: timestamp, level: .fatal, arch: architecture?.rawValue)
        event.contexts = contexts(context)
        event.release = context.release
        event.environment = context.environment
        event.user = context.user
        event.tags = context.tags
        event.breadcrumbs = contents.breadcrumbs?.breadcrumbs ?? []
        event.session = session(context)
        event.reason = contents.reason.map {
            ReasonBuilder(reason: $0, texts: contents.texts, sender: contents.sender).build()
        }
        event.debugImages = images
        event.threads = ThreadBuilder(
            contents: contents, architecture: architecture, images: images, crashedBehindTrap: event.crashedBehindTrap
        ).threads()
        event.memory = memory
        event.loss = LossBuilder(file: file, contents: contents).losses()
        return event
    }

    /// The record's id; where the header is damaged the run's, else one that the same bytes always give.
    private var eventID: String {
        if let header = file.header { return hexText(byteArray(header.record_id)) }
        if let run = contents.run { return hexText(byteArray(run.record_id)) }
        return StableID.of(file.bytes)
    }

    private var timestamp: Timestamp {
        let time = contents.reason?.crashed_realtime_ns ?? file.header?.crashed_ns ?? contents.run?.started_realtime_ns
        return Timestamp(nanoseconds: time ?? 0)
    }

    private var architecture: Architecture? {
        if let header = file.header { return Architecture(elfMachine: header.architecture) }
        if let run = contents.run { return Architecture(elfMachine: UInt16(truncatingIfNeeded: run.architecture)) }
        return contents.threads.lazy.compactMap { Architecture(registerCount: $0.registers.count) }.first
    }

    private func contexts(_ context: RunContext) -> [String: JSONValue] {
        var contexts = context.contexts
        var process = contexts["process"]?.object ?? [:]
        if let reason = contents.reason {
            process["pid"] = .integer(Int64(reason.pid))
            if reason.flags & VAKA_REASON_FORKED_CHILD.rawValue != 0 { process["forked_child"] = true }
            if let run = contents.run, reason.crashed_boottime_ns >= run.started_boottime_ns {
                let uptime = reason.crashed_boottime_ns - run.started_boottime_ns
                process["uptime_s"] = .number(Double(uptime / 1_000_000) / 1000)
            }
        }
        if let hang = contents.run.flatMap({ RunHang($0.hang) }) { process["hang"] = hang.value }
        contexts["process"] = .object(process)
        return contexts
    }

    private func session(_ context: RunContext) -> Session? {
        guard var session = SessionReader.session(context: context, run: contents.run) else { return nil }
        session.status = .crashed
        if timestamp >= session.started {
            session.duration = Double(timestamp.milliseconds - session.started.milliseconds) / 1000
        }
        return session
    }

    private var images: [DebugImage] {
        contents.images.map { image in
            DebugImage(
                buildID: BuildID(bytes: byteArray(image.head.build_id).prefix(Int(image.head.build_id_bytes))),
                codeFile: image.path.isEmpty ? nil : image.path, imageAddress: HexAddress(image.head.image_address),
                imageSize: image.head.image_bytes, loadBias: HexAddress(image.head.load_bias))
        }
    }

    private var memory: [MemoryRegion]? {
        contents.memory.isEmpty
            ? nil
            : contents.memory.map { MemoryRegion(address: HexAddress($0.head.address), data: Data($0.bytes)) }
    }
}
