// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Debuginfod
import EventStore
import Glibc
import VakaModel

/// Fetches images that events wait for from other debuginfod servers, one at a time, in the background. What comes is
/// read by a worker and mends the events as an upload does.
final class UpstreamImages: Sendable {
    private struct State {
        /// Build ids to ask for, in their order.
        var wanted: [String] = []
        var stopping = false
        /// Until when a server is not asked for a file again, by both.
        var absent: [String: ContinuousClock.Instant] = [:]
    }

    private static let mostWanted = 10_000
    private static let mostAbsent = 100_000

    let servers: [DebuginfodServer]
    private let stores: Stores
    private let limits: DebuginfodLimits
    private let temporaryFolder: String
    private let intake: ImageIntake
    private let state = Monitor(State())

    /// Where images are looked for, and where they go.
    struct Stores: Sendable {
        var events: any EventStore
        var uploaded: ImageStore
        var fetched: ImageStore
        /// Of the fetched ones, together.
        var mostBytes: UInt64
    }

    init(
        servers: [DebuginfodServer], stores: Stores, uploadBytes: Int64, temporaryFolder: String, intake: ImageIntake
    ) {
        self.servers = servers
        self.stores = stores
        var limits = DebuginfodLimits()
        limits.fileBytes = UInt64(uploadBytes)
        limits.absenceSeconds = 6 * 3600
        limits.failureSeconds = 600
        limits.fileSeconds = 3600
        self.limits = limits
        self.temporaryFolder = temporaryFolder
        self.intake = intake
    }

    /// `wake` is called when events have got something to be worked on again.
    func start(wake: @escaping @Sendable () -> Void) {
        startThread { [self] in run(wake) }
    }

    func stop() {
        state.update { $0.stopping = true }
    }

    /// Asks for images by their build ids, once the ones before have been asked for.
    func want(_ buildIDs: [String]) {
        state.update { state in
            for buildID in buildIDs where state.wanted.count < Self.mostWanted && !state.wanted.contains(buildID) {
                state.wanted.append(buildID)
            }
        }
    }

    private func run(_ wake: () -> Void) {
        while true {
            let next = state.wait(seconds: 3600) { state -> String?? in
                if state.stopping { return .some(nil) }
                return state.wanted.isEmpty ? nil : .some(state.wanted.removeFirst())
            }
            guard let next else { continue }
            guard let next else { return }
            guard let buildID = BuildID(hex: next), buildID.bytes.count > 1 else { continue }
            var came = false
            for kind in RemoteImageKind.allCases where !has(kind, buildID) { came = fetch(kind, buildID) || came }
            if came, arrived(buildID) { wake() }
        }
    }

    private func has(_ kind: RemoteImageKind, _ buildID: BuildID) -> Bool {
        [stores.uploaded, stores.fetched].contains { store in
            (kind == .debuginfo ? store.debugInfo(buildID) : store.executable(buildID)) != nil
        }
    }

    /// From the first server that has it.
    private func fetch(_ kind: RemoteImageKind, _ buildID: BuildID) -> Bool {
        for server in servers {
            let key = "\(server.name) \(kind.rawValue) \(buildID)"
            guard state.withLock({ $0.absent[key].map { $0 < .now } ?? true }) else { continue }
            let path = temporaryFolder + "/fetched-\(UInt64.random(in: 0 ... .max))"
            defer { unlink(path) }
            let outcome = download(server, kind, buildID, to: path)
            var seconds = limits.failureSeconds
            switch outcome {
            case .done:
                if let problem = take(path, buildID) {
                    intake.log.warning(
                        "upstream_image_refused", "\(server.name) gave no \(kind.rawValue) of \(buildID): \(problem)",
                        [
                            "server": .string(server.name), "kind": .string(kind.rawValue),
                            "build_id": .string(buildID.description), "reason": .string(problem),
                        ])
                    seconds = limits.absenceSeconds
                } else {
                    intake.metrics.add(.imagesFetched)
                    return true
                }
            case .absent: seconds = limits.absenceSeconds
            case .failed(let reason), .unreachable(let reason):
                intake.log.warning(
                    "upstream_failed", "\(server.name) \(reason)",
                    ["server": .string(server.name), "reason": .string(reason)])
            }
            state.update { state in
                if state.absent.count >= Self.mostAbsent { state.absent = state.absent.filter { $0.value > .now } }
                if state.absent.count < Self.mostAbsent { state.absent[key] = .now + .seconds(seconds) }
            }
        }
        return false
    }

    private func download(
        _ server: DebuginfodServer, _ kind: RemoteImageKind, _ buildID: BuildID, to path: String
    ) -> DebuginfodDownload.Outcome {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            return .failed("cannot be written to \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return DebuginfodDownload(server, kind, buildID, limits: limits).run(to: descriptor, progress: nil)
    }

    /// Nil when the file is in the store; else why it is not.
    private func take(_ path: String, _ buildID: BuildID) -> String? {
        var job = WorkerJob(kind: .image, path: path)
        job.fetchedBuildID = buildID
        do {
            let reply = try intake.take(job, hash: nil)
            return reply.image == nil ? reply.failure?.message ?? "no answer" : nil
        } catch {
            return "\(error)"
        }
    }

    /// True when events wait for it.
    private func arrived(_ buildID: BuildID) -> Bool {
        let artifact = Artifact(
            buildID: buildID.description, hasCode: stores.fetched.executable(buildID) != nil,
            hasDebugInfo: stores.fetched.debugInfo(buildID) != nil, size: 0, name: nil, release: nil, uploadedAt: .now)
        defer { stores.fetched.trim(to: stores.mostBytes) { $0 == buildID } }
        do {
            return try stores.events.addArtifact(artifact, project: Artifact.noProject) > 0
        } catch {
            intake.log.error(
                "upstream_image_not_recorded", "an image that was fetched cannot be recorded: \(error)",
                ["build_id": .string(buildID.description), "reason": .string("\(error)")])
            return false
        }
    }
}
