// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import VakaModel

/// Says in words what one section holds.
struct SectionDescriber {
    private let section: RecordSection
    private let contents: RecordContents

    init(_ section: RecordSection) {
        self.section = section
        contents = RecordContents([section])
    }

    func lines() -> [String] {
        guard contents.malformed.isEmpty else { return ["what it says does not fit its length"] }
        return reason + run + context + threads + frames + memory + images + rest
    }

    private var reason: [String] {
        guard let reason = contents.reason else { return [] }
        let signal = SignalNames.signal(reason.signal) ?? "signal \(reason.signal)"
        let code = SignalNames.code(reason.code, signal: reason.signal) ?? "code \(reason.code)"
        let why = reason.signal == 0 ? "no signal" : "\(signal), \(code)"
        var lines = ["\(why), process \(reason.pid), thread \(reason.tid)"]
        if reason.flags & VAKA_REASON_FAULT_ADDRESS.rawValue != 0 {
            let computed = reason.flags & VAKA_REASON_COMPUTED.rawValue != 0 ? ", worked out from the instruction" : ""
            lines.append("fault address \(HexAddress(reason.fault_address))\(computed)")
        }
        let built = ReasonBuilder(reason: reason, texts: [], sender: nil).build()
        if reason.flags & VAKA_REASON_LEFT_OUT.rawValue != 0 { lines.append("the fault address was left out") }
        if let access = built.access { lines.append("tried to \(access) it") }
        if let kind = built.kind { lines.append("\(kind)") }
        if reason.flags & VAKA_REASON_SENDER.rawValue != 0 {
            lines.append("sent by process \(reason.sender_pid) of user \(reason.sender_uid)")
        }
        if reason.flags & VAKA_REASON_FORKED_CHILD.rawValue != 0 { lines.append("in a forked child") }
        if reason.signal != 0 {
            lines.append("trap \(reason.trap_number), error code \(HexAddress(reason.error_code))")
        }
        lines.append("memory read by \(reader(reason.reader))")
        lines.append("at \(Timestamp(nanoseconds: reason.crashed_realtime_ns))")
        return lines
    }

    private func reader(_ kind: UInt32) -> String {
        switch vaka_reader_kind(rawValue: kind) {
        case VAKA_READER_PROCESS_VM: "process_vm_readv"
        case VAKA_READER_PIPE: "a pipe"
        default: "nothing"
        }
    }

    private var run: [String] {
        guard let run = contents.run else { return [] }
        return [
            "run \(hexText(byteArray(run.run_id))), started \(Timestamp(nanoseconds: run.started_realtime_ns))",
            "state \(run.state), \(run.breadcrumb_count) breadcrumbs added, \(run.breadcrumbs_dropped) dropped",
        ]
    }

    private var context: [String] {
        guard let context = contents.context else { return [] }
        let values = context.values.map { "\(Self.scope($0.key.scope)).\($0.key.key) = \($0.value)" }.sorted()
        return ["generation \(context.generation)"] + values
    }

    private static func scope(_ scope: UInt16) -> String {
        let names = [
            "release", "user", "tag", "session", "sdk", "os", "kernel", "libc", "host", "container", "process",
            "run", "group",
        ]
        return scope >= 1 && scope <= names.count ? names[Int(scope) - 1] : "scope \(scope)"
    }

    private static func bytes(_ count: UInt64?) -> String { count.map { "\($0) bytes" } ?? "an unknown size" }

    private var threads: [String] {
        contents.threads.flatMap { thread in
            let isCurrent = thread.head.flags & VAKA_THREAD_CURRENT.rawValue != 0
            let crashed =
                thread.head.flags & VAKA_THREAD_CRASHED.rawValue != 0 ? ", crashed" : isCurrent ? ", current" : ""
            let names = Architecture(registerCount: thread.registers.count)?.registerNames ?? []
            let registers = zip(names, thread.registers).map { "\($0) \(value($1, of: thread.head))" }
            return ["thread \(thread.head.tid) \"\(text(byteArray(thread.head.name)))\"\(crashed)"] + registers
        }
    }

    private func value(_ register: UInt64, of thread: vaka_thread) -> String {
        let isLeftOut = thread.flags & VAKA_THREAD_POINTERS_ONLY.rawValue != 0 && register == VAKA_LEFT_OUT
        return isLeftOut ? "was left out" : "= \(HexAddress(register))"
    }

    private var frames: [String] {
        contents.frames.flatMap { walk in
            let end = walk.head.flags & VAKA_FRAMES_COMPLETE.rawValue != 0 ? "to the stack's end" : "not to the end"
            return ["thread \(walk.head.tid), \(walk.frames.count) frames, \(end)"]
                + walk.frames.map { frame in
                    "\(HexAddress(frame.instruction_address)) trust \(frame.trust) sp \(HexAddress(frame.stack_pointer))"
                        + (frame.flags & VAKA_FRAME_INTERRUPTED.rawValue != 0 ? ", interrupted" : "")
                }
        }
    }

    private var memory: [String] {
        (contents.stacks + contents.memory).map { memory in
            let owner = memory.head.tid == 0 ? "" : ", of thread \(memory.head.tid)"
            let only = memory.head.flags & VAKA_MEMORY_POINTERS_ONLY.rawValue != 0 ? ", pointers only" : ""
            return "\(memory.head.bytes) bytes at \(HexAddress(memory.head.address))\(owner)\(only)"
        }
    }

    private var images: [String] {
        contents.images.map { image in
            let id = BuildID(bytes: byteArray(image.head.build_id).prefix(Int(image.head.build_id_bytes)))
            let size = HexAddress(image.head.image_bytes)
            return "\(HexAddress(image.head.image_address)) + \(size) \(id?.description ?? "no build id") \(image.path)"
        }
    }

    private var rest: [String] {
        let breadcrumbs = contents.breadcrumbs?.breadcrumbs.map { crumb in
            "\(crumb.timestamp) \(crumb.level) \(crumb.category ?? ""): \(crumb.message ?? "")"
        }
        let exchanges = contents.exchanges?.exchanges.map { exchange in
            "\(exchange.timestamp) \(exchange.phase) \(exchange.method) \(exchange.url)"
        }
        let sender = contents.sender.map { ["process \($0.pid) \"\(text(byteArray($0.name)))\""] } ?? []
        let figures =
            contents.figures.map {
                ["at \($0.taken), \(Self.bytes($0.resident)) resident, at most \(Self.bytes($0.peakResident))"]
            } ?? []
        let texts = contents.texts.map { "source \($0.head.source): \($0.text)" }
        let losses = contents.losses.map { "kind \($0.kind), argument \($0.argument), value \(HexAddress($0.value))" }
        let end = contents.end.map {
            ["\($0.section_count) sections, \($0.record_bytes) bytes, written in \($0.handler_ns / 1000) µs"]
        }
        let snapshot = contents.snapshot.map { snapshot in
            ["threads stopped for \(snapshot.stopped_ns / 1000) µs"]
                + (snapshot.hang_bound_ns == 0
                    ? []
                    : [
                        "\"\(text(byteArray(snapshot.hang_name)))\" had not gone on for \(snapshot.hang_ns / 1_000_000) ms, "
                            + "the bound is \(snapshot.hang_bound_ns / 1_000_000) ms"
                    ])
        }
        return (breadcrumbs ?? []) + (exchanges ?? []) + (snapshot ?? []) + sender + figures + texts + losses
            + (end ?? [])
    }
}
