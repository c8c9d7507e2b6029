// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One search: gathers the files that belong to an image and picks the best for each use.
struct ImageSearch {
    let index: SymbolPathIndex
    let stores: [ImageStore]
    let useSystem: Bool
    let symbolPaths: [String]
    /// The report's, as in `ELFIdentity.machine`; nil where it is not known.
    let machine: String?
    var reader = CandidateReader()
    var remote: (any RemoteImages)?

    /// Why a file that seemed to be the one was not taken.
    private struct Refusal {
        var status: ImageStatus
        var reason: String
    }

    func find(_ image: DebugImage) -> FoundImage {
        var refusals: [Refusal] = []
        var absences: [String] = []
        var candidates = image.buildID.map { gather($0, &refusals) } ?? gatherByName(image)
        if useSystem { candidates += recorded(image, &refusals) + kernel(image) }
        candidates.removeAll { candidate in
            guard let machine, candidate.identity.machine != machine else { return false }
            let what = "\(candidate.path) has its build id, but is for \(candidate.identity.machine), not \(machine)"
            refusals.append(Refusal(status: .mismatched, reason: what))
            return true
        }
        candidates += candidates.filter { !$0.identity.hasDebugInfo }.compactMap {
            DebugLink.companion(of: $0, useSystem: useSystem, reader: reader)
        }
        candidates += fromElsewhere(image, lackedBy: candidates, &absences)
        guard !candidates.isEmpty else { return notFound(image, refusals, absences) }
        return choose(candidates, image, refusals, absences)
    }

    /// What is not on this machine, or says too little.
    private func fromElsewhere(
        _ image: DebugImage, lackedBy here: [Candidate], _ absences: inout [String]
    ) -> [Candidate] {
        // The kernel's own image is in no file.
        guard let remote, let buildID = image.buildID, image.codeFile?.hasPrefix("[") != true else { return [] }
        var found: [Candidate] = []
        for kind in RemoteImageKind.allCases {
            let isHere = here.contains { kind == .debuginfo ? $0.identity.hasDebugInfo : $0.identity.hasCode }
            guard !isHere else { continue }
            switch remote.fetch(kind, buildID) {
            case .file(let path, let source):
                guard let identity = try? reader.identify(path), identity.buildID == buildID,
                    machine == nil || identity.machine == machine
                else { continue }
                found.append(Candidate(path: path, identity: identity, source: source))
            case .absent(let reason):
                absences.append(reason)
            }
        }
        return found
    }

    private func gather(_ buildID: BuildID, _ refusals: inout [Refusal]) -> [Candidate] {
        var paths: [(String, String)] = symbolPaths.map { (DebugLink.path(buildID, under: $0), "symbols folder \($0)") }
        paths += stores.flatMap { $0.files(buildID, machine: machine) }.map { ($0, "image store") }
        if useSystem {
            paths.append((DebugLink.path(buildID, under: DebugLink.systemFolder), "debug files of the system"))
        }
        var found = index.byBuildID[buildID] ?? []
        for (path, source) in paths {
            do {
                let identity = try reader.identify(path)
                guard identity.buildID == buildID else { continue }
                found.append(Candidate(path: path, identity: identity, source: source))
            } catch {
                if error.code != .unreadable { refusals.append(Refusal(status: .malformed, reason: error.description)) }
            }
        }
        return found
    }

    /// An image without a build id: only name and size speak for a file.
    private func gatherByName(_ image: DebugImage) -> [Candidate] {
        guard let name = image.name else { return [] }
        return (index.withoutBuildID[name] ?? []).filter { Self.fits($0.identity, image) }
    }

    /// The file at the recorded path.
    private func recorded(_ image: DebugImage, _ refusals: inout [Refusal]) -> [Candidate] {
        guard let path = image.codeFile, path.hasPrefix("/") else { return [] }
        let identity: ELFIdentity
        do {
            identity = try reader.identify(path)
        } catch {
            if error.code != .unreadable {
                refusals.append(Refusal(status: .malformed, reason: error.description))
            }
            return []
        }
        if let wanted = image.buildID, identity.buildID != wanted {
            let has = identity.buildID.map { "build id \($0)" } ?? "no build id"
            refusals.append(
                Refusal(status: .mismatched, reason: "\(path) has \(has): it was replaced after the crash"))
            return []
        }
        if image.buildID == nil, !Self.fits(identity, image) {
            refusals.append(
                Refusal(
                    status: .mismatched,
                    reason:
                        "\(path) loads \(identity.loadedSize) bytes, the image had \(image.imageSize): it was replaced"
                ))
            return []
        }
        return [Candidate(path: path, identity: identity, source: "file at its path")]
    }

    /// The virtual library of a process of this machine.
    private func kernel(_ image: DebugImage) -> [Candidate] {
        guard let buildID = image.buildID, image.codeFile?.hasPrefix("/") != true, let path = KernelImage.path,
            let identity = try? reader.identify(path), identity.buildID == buildID
        else { return [] }
        return [Candidate(path: path, identity: identity, source: "this machine's kernel")]
    }

    private func choose(
        _ candidates: [Candidate], _ image: DebugImage, _ refusals: [Refusal], _ absences: [String]
    ) -> FoundImage {
        let code =
            candidates.first { $0.identity.hasCode && $0.identity.hasUnwindTable }
            ?? candidates.first { $0.identity.hasCode }
        let best = candidates.map(\.identity.symbolRank).max() ?? 0
        let debug = candidates.first { $0.identity.symbolRank == best } ?? code
        var sources = [debug?.source, code?.source].compactMap { $0 }
        if sources.count == 2, sources[0] == sources[1] { sources.removeLast() }
        var details: [String] = []
        if image.buildID == nil {
            details.append(
                "the image has no build id: matched by name and size only; link with -Wl,--build-id=sha1 to be sure")
        }
        // A file that would have said more, had it been readable.
        details += refusals.filter { $0.status == .malformed }.map(\.reason).prefix(2)
        if debug?.identity.hasDebugInfo != true, let absence = absences.first { details.append(absence) }
        let unreadable = debug?.identity.unreadableSections ?? []
        if !unreadable.isEmpty {
            details.append(
                "sections compressed in an unknown way are not read (\(unreadable.joined(separator: ", "))); "
                    + "rewrite them with objcopy --decompress-debug-sections")
        }
        return FoundImage(
            status: .found, codePath: code?.path, debugPath: debug?.path, source: sources.joined(separator: "; "),
            detail: details.isEmpty ? nil : details.joined(separator: "; "))
    }

    private func notFound(_ image: DebugImage, _ refusals: [Refusal], _ absences: [String]) -> FoundImage {
        if let refusal = refusals.last {
            return FoundImage(status: refusal.status, detail: refusal.reason)
        }
        let name = image.name ?? "an image without a path"
        let identity = image.buildID.map { "build id \($0)" } ?? "no build id"
        var detail = (["no file for \(name) (\(identity))"] + absences).joined(separator: "; ")
        if index.isPartial {
            detail += "; the symbols folders hold more files than were searched: name a smaller folder"
        }
        if let problem = index.problems.first { detail += "; \(problem)" }
        return FoundImage(status: .missing, detail: detail)
    }

    /// Sizes agree to the page, as different recorders round differently.
    private static func fits(_ identity: ELFIdentity, _ image: DebugImage) -> Bool {
        let page: UInt64 = 4096
        let (one, other) = (identity.loadedSize, image.imageSize)
        return (one > other ? one - other : other - one) < 2 * page
    }
}
