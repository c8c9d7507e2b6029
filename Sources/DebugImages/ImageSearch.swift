// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One search: gathers the files that belong to an image and picks the best for each use.
struct ImageSearch {
    let index: SymbolPathIndex
    let store: ImageStore?
    let useSystem: Bool
    let symbolPaths: [String]
    /// The report's, as in `ELFIdentity.machine`; nil where it is not known.
    let machine: String?

    /// Why a file that seemed to be the one was not taken.
    private struct Refusal {
        var status: ImageStatus
        var reason: String
    }

    func find(_ image: DebugImage) -> FoundImage {
        var refusals: [Refusal] = []
        var candidates = image.buildID.map { gather($0, image) } ?? gatherByName(image)
        if useSystem { candidates += recorded(image, &refusals) }
        candidates.removeAll { candidate in
            guard let machine, candidate.identity.machine != machine else { return false }
            let what = "\(candidate.path) has its build id, but is for \(candidate.identity.machine), not \(machine)"
            refusals.append(Refusal(status: .mismatched, reason: what))
            return true
        }
        candidates += candidates.filter { !$0.identity.hasDebugInfo }.compactMap {
            DebugLink.companion(of: $0, useSystem: useSystem)
        }
        guard !candidates.isEmpty else { return notFound(image, refusals) }
        return choose(candidates, image)
    }

    private func gather(_ buildID: BuildID, _ image: DebugImage) -> [Candidate] {
        var paths: [(String, String)] = symbolPaths.map { (DebugLink.path(buildID, under: $0), "symbols folder \($0)") }
        if let store {
            let stored = [store.debugInfo(buildID, machine: machine), store.executable(buildID, machine: machine)]
            paths += stored.compactMap { $0 }.map { ($0, "image store") }
        }
        if useSystem {
            paths.append((DebugLink.path(buildID, under: DebugLink.systemFolder), "debug files of the system"))
        }
        let direct = paths.compactMap { path, source -> Candidate? in
            guard let identity = try? ELFIdentifier.identify(path: path), identity.buildID == buildID else {
                return nil
            }
            return Candidate(path: path, identity: identity, source: source)
        }
        return (index.byBuildID[buildID] ?? []) + direct
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
            identity = try ELFIdentifier.identify(path: path)
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

    private func choose(_ candidates: [Candidate], _ image: DebugImage) -> FoundImage {
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

    private func notFound(_ image: DebugImage, _ refusals: [Refusal]) -> FoundImage {
        if let refusal = refusals.last {
            return FoundImage(status: refusal.status, detail: refusal.reason)
        }
        let name = image.name ?? "an image without a path"
        let identity = image.buildID.map { "build id \($0)" } ?? "no build id"
        var detail = "no file for \(name) (\(identity))"
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
