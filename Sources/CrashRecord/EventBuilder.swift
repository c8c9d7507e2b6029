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
            eventID: eventID, type: type, timestamp: timestamp, level: Self.level(of: type),
            arch: architecture?.rawValue)
        event.contexts = contexts(context)
        event.release = context.release
        event.environment = context.environment
        event.user = context.user
        event.tags = context.tags
        event.breadcrumbs = contents.breadcrumbs?.breadcrumbs ?? []
        event.network = contents.exchanges?.history
        event.capabilities = context.capabilities
        event.session = session(context)
        event.reason = reason
        event.hang = hang
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

    /// By the header; where that is damaged, by what only records of one kind have.
    private var type: EventType {
        let isHang = contents.snapshot.map { $0.hang_bound_ns > 0 } ?? false
        switch file.header.map({ vaka_record_kind(rawValue: $0.kind) }) {
        case VAKA_RECORD_SNAPSHOT?: return .snapshot
        case VAKA_RECORD_HANG?: return .hang
        case nil where isHang: return .hang
        case nil where contents.snapshot != nil || contents.threads.contains(where: Self.isCurrent): return .snapshot
        default: return .crash
        }
    }

    private static func isCurrent(_ thread: RecordContents.Thread) -> Bool {
        thread.head.flags & VAKA_THREAD_CURRENT.rawValue != 0
    }

    private static func level(of type: EventType) -> Level {
        switch type {
        case .snapshot: .info
        case .hang: .error
        default: .fatal
        }
    }

    private var reason: Reason? {
        if type == .crash {
            return contents.reason.map {
                ReasonBuilder(reason: $0, texts: contents.texts, sender: contents.sender).build()
            }
        }
        let words = ReasonBuilder.message(of: contents.texts)
        guard type == .hang || words != nil else { return nil }
        return Reason(message: words?.text, messageSource: words?.source, kind: type == .hang ? .hang : nil)
    }

    private var hang: Hang? {
        guard type == .hang, let snapshot = contents.snapshot else { return nil }
        return Hang(
            watch: text(byteArray(snapshot.hang_name)), bound: Self.seconds(snapshot.hang_bound_ns),
            stuck: Self.seconds(snapshot.hang_ns))
    }

    /// To the millisecond.
    private static func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds / 1_000_000) / 1000 }

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
                process["uptime_s"] = .number(Self.seconds(uptime))
            }
        }
        if let snapshot = contents.snapshot {
            // To the microsecond.
            process["stopped_ms"] = .number(Double(snapshot.stopped_ns / 1000) / 1000)
        }
        if type == .crash, let hang = contents.run.flatMap({ RunHang($0.hang) }) { process["hang"] = hang.value }
        if let figures = contents.figures {
            process["thread_count"] = .figure(figures.threads)
            process["memory"] = figures.memory(group: context.group)
        }
        contexts["process"] = .object(process)
        return contexts
    }

    private func session(_ context: RunContext) -> Session? {
        guard var session = SessionReader.session(context: context, run: contents.run) else { return nil }
        guard type == .crash else { return session }
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
