// SPDX-License-Identifier: Apache-2.0
import Glibc
import VakaModel

/// What a check says of an image's DWARF.
struct DWARFFinding {
    private let path: String
    private let identity: ELFIdentity
    private let dwarf: DWARFSummary?
    private let surroundings: ImageCheck.Surroundings
    private let companion: Candidate?

    init(_ items: ImageCheckItems, companion: Candidate?) {
        path = items.path
        identity = items.identity
        dwarf = items.dwarf
        surroundings = items.surroundings
        self.companion = companion
    }

    var finding: ImageFinding {
        guard identity.hasDebugInfo else { return elsewhere }
        guard let dwarf else { return unreadable }
        let versions = dwarf.versions.map(String.init).joined(separator: " and ")
        var parts = ["version \(versions)", "\(dwarf.units) \(dwarf.units == 1 ? "unit" : "units")"]
        parts += dwarf.languages
        var detail = parts.joined(separator: ", ")
        if !dwarf.producers.isEmpty { detail += "; by \(dwarf.producers.joined(separator: " and "))" }
        if !identity.compression.isEmpty {
            detail += "; compressed (\(identity.compression.joined(separator: ", ")))"
        }
        return missingParts(dwarf, detail) ?? ImageFinding(name: "DWARF", state: .ok, detail: detail)
    }

    private var elsewhere: ImageFinding {
        if let companion, companion.identity.hasDebugInfo {
            return ImageFinding(name: "DWARF", state: .ok, detail: "in \(companion.path)")
        }
        let link = identity.debugLink.map { "; its debug link names \($0), which is not found" } ?? ""
        return ImageFinding(
            name: "DWARF", state: .missing, detail: "no inlined frames, no lines\(link)",
            cure:
                "compile with -g (swift build -Xswiftc -g; cargo: debug = true) and give the file before it is stripped"
        )
    }

    private var unreadable: ImageFinding {
        let unread = identity.unreadableSections
        return ImageFinding(
            name: "DWARF", state: .missing,
            detail: unread.isEmpty
                ? "damaged" : "compressed in a way that is not read: \(unread.joined(separator: ", "))",
            cure: unread.isEmpty ? "build or copy the file again" : "objcopy --decompress-debug-sections \(path)")
    }

    private var splitCure: String {
        if case .machine = surroundings {
            return
                "keep the .dwo files where they were built or beside it, or their .dwp, or build without -gsplit-dwarf"
        }
        return "dwp -e PROGRAM -o PROGRAM.dwp where it was built; vaka upload debug PROGRAM sends the package along"
    }

    /// The `.dwo` files, or the common file of several images, that are not at hand.
    private func missingParts(_ dwarf: DWARFSummary, _ detail: String) -> ImageFinding? {
        if dwarf.missingSplitUnits > 0, case .machine = surroundings, access(path + ".dwp", R_OK) == 0 {
            return ImageFinding(name: "DWARF", state: .ok, detail: "\(detail); split off, in \(path).dwp")
        }
        if dwarf.missingSplitUnits > 0, let first = dwarf.missingSplitFiles.first {
            let more = dwarf.missingSplitUnits > 1 ? " and \(dwarf.missingSplitUnits - 1) more" : ""
            return ImageFinding(
                name: "DWARF", state: .partial,
                detail: "\(detail); split off: \(first)\(more) not there, so no inlined frames and names by symbols",
                cure: splitCure)
        }
        if let name = identity.altLink, !hasAlternative(name) {
            let buildID = identity.altLinkBuildID.map { " (build id \($0))" } ?? ""
            return ImageFinding(
                name: "DWARF", state: .partial, detail: "\(detail); part of it is in \(name)\(buildID), not there",
                cure: "install the package that has \(name), or take the file as it was before dwz -m")
        }
        return nil
    }

    private func hasAlternative(_ name: String) -> Bool {
        switch surroundings {
        case .machine:
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            let byID = identity.altLinkBuildID.map { DebugLink.path($0, under: DebugLink.systemFolder) }
            return [name.hasPrefix("/") ? name : folder + name, byID].compactMap { $0 }.contains {
                (try? ELFIdentifier.identify(path: $0)) != nil
            }
        case .store(let store):
            return identity.altLinkBuildID.map { store.debugInfo($0) != nil } ?? false
        }
    }
}
