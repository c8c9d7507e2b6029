// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The lines of an image's check.
struct ImageCheckItems {
    let path: String
    let identity: ELFIdentity
    let dwarf: DWARFSummary?
    let coverage: ImageCoverage?
    let surroundings: ImageCheck.Surroundings

    var all: [ImageFinding] {
        guard identity.fileType == .executable || identity.fileType == .shared else {
            return [
                ImageFinding(
                    name: "kind", state: .missing,
                    detail: "is not linked, or is no program: it has no addresses to look up",
                    cure: "name the linked program, the library or its .debug file")
            ]
        }
        let companion = companion
        return [
            buildID, symbols(companion), DWARFFinding(self, companion: companion).finding, lines(companion),
            UnwindFinding(identity: identity, coverage: coverage).finding, source,
        ].compactMap { $0 }
    }

    private var buildID: ImageFinding {
        if let id = identity.buildID {
            return ImageFinding(name: "build id", state: .ok, detail: "\(id), debug id \(id.debugID)")
        }
        return ImageFinding(
            name: "build id", state: .missing,
            detail: "reports can match it by path and size only, and it cannot be uploaded",
            cure: "link with -Wl,--build-id=sha1 (swift build -Xlinker --build-id=sha1)")
    }

    private func symbols(_ companion: Candidate?) -> ImageFinding {
        if identity.hasSymbolTable {
            return ImageFinding(name: "symbols", state: .ok, detail: ".symtab: names of all functions")
        }
        if let companion, companion.identity.hasSymbolTable {
            return ImageFinding(name: "symbols", state: .ok, detail: "in \(companion.path)")
        }
        if identity.hasMiniDebugInfo {
            return ImageFinding(
                name: "symbols", state: .ok, detail: ".dynsym and .gnu_debugdata: names of all functions")
        }
        let cure = "do not strip it, or keep the names first: objcopy --only-keep-debug \(path) \(path).debug"
        if identity.hasDynamicSymbols, identity.hasCode {
            return ImageFinding(
                name: "symbols", state: .partial, detail: ".dynsym only: names of exported functions", cure: cure)
        }
        return ImageFinding(name: "symbols", state: .missing, detail: "no names", cure: cure)
    }

    private func lines(_ companion: Candidate?) -> ImageFinding? {
        if identity.hasDebugInfo {
            return LinesFinding(identity: identity, coverage: coverage, isSplit: (dwarf?.splitUnits ?? 0) > 0).finding
        }
        guard case .machine = surroundings, let companion, companion.identity.hasDebugInfo else { return nil }
        let coverage = ImageCoverage(path: companion.path)
        return LinesFinding(identity: companion.identity, coverage: coverage, isSplit: false).finding
    }

    private var source: ImageFinding? {
        guard case .machine = surroundings, let dwarf, dwarf.sourcesLookedAt > 0 else { return nil }
        let detail = "\(dwarf.sourcesFound) of \(dwarf.sourcesLookedAt) files are on this machine"
        if dwarf.sourcesFound == dwarf.sourcesLookedAt {
            return ImageFinding(name: "source", state: .ok, detail: detail)
        }
        let folder = dwarf.compilationFolder.map { " (compiled in \($0))" } ?? ""
        return ImageFinding(
            name: "source", state: dwarf.sourcesFound == 0 ? .missing : .partial, detail: detail + folder,
            cure: "vaka upload debug --include-sources, on the machine that builds")
    }

    /// The separate debug file of a stripped one.
    private var companion: Candidate? {
        switch surroundings {
        case .machine:
            return SeparateDebugFile.companion(of: Candidate(path: path, identity: identity, source: path))
        case .store(let store):
            guard let buildID = identity.buildID, let path = store.debugInfo(buildID, machine: identity.machine),
                let found = try? store.reader.identify(path)
            else { return nil }
            return Candidate(path: "the service's store", identity: found, source: "image store")
        }
    }
}
