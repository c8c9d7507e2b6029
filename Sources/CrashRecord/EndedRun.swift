// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// The document of a run that ended without a record: what its run file tells, and how it ended.
package struct EndedRun {
    private let file: RunFile?
    private let end: RunEnd

    /// `file` is nil where the run left none.
    package init(_ file: RunFile?, end: RunEnd) {
        self.file = file
        self.end = end
    }

    /// Under the id that a record of the run would have had, so that the same end told twice is stored once. `id` is for
    /// a run without a file.
    package func event(id: String, arch: String?) -> Event {
        let lastSeen = file?.lastSeen
        var event = Event(
            eventID: file?.recordID ?? id, type: end.cause == .crashed ? .crash : .abnormal,
            timestamp: end.time ?? lastSeen ?? Timestamp(milliseconds: 0), level: .fatal,
            arch: file?.architecture ?? arch)
        event.contexts = contexts(lastSeen)
        if let context = file?.context {
            event.release = context.release
            event.environment = context.environment
            event.user = context.user
            event.tags = context.tags
        }
        event.breadcrumbs = file?.breadcrumbs ?? []
        event.network = file?.network
        event.capabilities = file?.context.capabilities
        event.session = session
        event.reason = end.reason
        event.loss = loss
        return event
    }

    /// The run's session as it ended; nil where the run had none.
    package var session: Session? {
        guard let file, var session = file.session else { return nil }
        session.status = end.sessionStatus
        if session.status == .exited, (session.errors ?? 0) > 0 { session.status = .errored }
        session.cause = end.sessionCause
        if let ended = end.time, ended >= session.started {
            session.duration = Double(ended.milliseconds - session.started.milliseconds) / 1000
        }
        return session
    }

    private func contexts(_ lastSeen: Timestamp?) -> [String: JSONValue] {
        var contexts = (file?.context ?? RunContext()).contexts
        var process = contexts["process"]?.object ?? [:]
        if let file {
            process["pid"] = .integer(Int64(file.pid))
            process["uptime_s"] = file.uptime(at: end.time ?? lastSeen).map { .number($0) } ?? .null
            process["thread_count"] = .figure(file.figures?.threads)
            process["memory"] = file.figures?.memory(group: file.context.group) ?? .object([:])
        }
        if let hang = file?.hang { process["hang"] = hang.value }
        process["end"] = end.document(lastSeen: lastSeen)
        contexts["process"] = .object(process)
        return contexts
    }

    private var loss: [Loss] {
        var loss = [Loss(what: "threads", why: whyNoThreads)]
        if let torn = file?.tornBreadcrumbs, torn > 0 {
            loss.append(Loss(what: "\(torn) breadcrumbs", why: "they were being written when the run ended"))
        }
        if let torn = file?.tornExchanges, torn > 0 {
            let what = "\(torn) network exchange\(torn == 1 ? "" : "s")"
            loss.append(Loss(what: what, why: "they were being written when the run ended"))
        }
        if file == nil { loss.append(Loss(what: "what the run told of itself", why: "it left no run file")) }
        return loss
    }

    private var whyNoThreads: String {
        switch end.cause {
        case .killed, .outOfMemory: "SIGKILL leaves no record"
        case .machineDown: "the machine went down"
        default: end.whyNoRecord ?? "the program left no record"
        }
    }
}
