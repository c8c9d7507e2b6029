// SPDX-License-Identifier: Apache-2.0

/// The lines of an image's check.
struct ImageCheckItems {
    typealias Item = ImageCheck.Item

    let path: String
    let identity: ELFIdentity
    let dwarf: DWARFSummary?

    var all: [Item] {
        guard identity.fileType == .executable || identity.fileType == .shared else {
            return [
                Item(
                    name: "kind", state: .missing,
                    detail: "is not linked, or is no program: it has no addresses to look up",
                    cure: "name the linked program, the library or its .debug file")
            ]
        }
        return [buildID, symbols, debugInfo, lines, unwindTable, source].compactMap { $0 }
    }

    private var buildID: Item {
        if let id = identity.buildID { return Item(name: "build id", state: .ok, detail: id.description) }
        return Item(
            name: "build id", state: .missing,
            detail: "reports can match it by path and size only, and it cannot be uploaded",
            cure: "link with -Wl,--build-id=sha1 (swift build -Xlinker --build-id=sha1)")
    }

    private var symbols: Item {
        if identity.hasSymbolTable {
            return Item(name: "symbols", state: .ok, detail: ".symtab: names of all functions")
        }
        if let companion, companion.identity.hasSymbolTable {
            return Item(name: "symbols", state: .ok, detail: "in \(companion.path)")
        }
        let cure = "do not strip it, or keep the names first: objcopy --only-keep-debug \(path) \(path).debug"
        if identity.hasMiniDebugInfo {
            return Item(name: "symbols", state: .ok, detail: ".dynsym and .gnu_debugdata: names of all functions")
        }
        if identity.hasDynamicSymbols, identity.hasCode {
            return Item(
                name: "symbols", state: .partial, detail: ".dynsym only: names of exported functions", cure: cure)
        }
        return Item(name: "symbols", state: .missing, detail: "no names", cure: cure)
    }

    private var debugInfo: Item {
        guard identity.hasDebugInfo else {
            if let companion, companion.identity.hasDebugInfo {
                return Item(name: "DWARF", state: .ok, detail: "in \(companion.path)")
            }
            let link = identity.debugLink.map { "; its debug link names \($0), which is not found" } ?? ""
            return Item(
                name: "DWARF", state: .missing, detail: "no inlined frames, no lines\(link)",
                cure:
                    "compile with -g (swift build -Xswiftc -g; cargo: debug = true) and check the file before it is stripped"
            )
        }
        guard let dwarf else {
            let unread = identity.unreadableSections
            return Item(
                name: "DWARF", state: .missing,
                detail: unread.isEmpty
                    ? "damaged" : "compressed in a way that is not read: \(unread.joined(separator: ", "))",
                cure: unread.isEmpty ? "build or copy the file again" : "objcopy --decompress-debug-sections \(path)")
        }
        let versions = dwarf.versions.map(String.init).joined(separator: " and ")
        let languages = dwarf.languages.isEmpty ? "" : ", " + dwarf.languages.joined(separator: ", ")
        let detail = "version \(versions), \(dwarf.units) \(dwarf.units == 1 ? "unit" : "units")\(languages)"
        if let missing = dwarf.missingSplitFiles.first {
            return Item(
                name: "DWARF", state: .partial, detail: "\(detail); split off, and \(missing) is not there",
                cure: "keep the .dwo files where they were built, or build without -gsplit-dwarf")
        }
        if let alternative = identity.altLink, !Self.exists(alternative, beside: path) {
            return Item(
                name: "DWARF", state: .partial,
                detail: "\(detail); part of it is in \(alternative), which is not there",
                cure: "install the package that has \(alternative)")
        }
        return Item(name: "DWARF", state: .ok, detail: detail)
    }

    private var lines: Item? {
        guard identity.hasDebugInfo else { return nil }
        if identity.hasLineTable { return Item(name: "lines", state: .ok, detail: ".debug_line") }
        return Item(
            name: "lines", state: .missing, detail: "no line table",
            cure: "compile with -g or at least -gline-tables-only")
    }

    private var unwindTable: Item {
        if identity.hasUnwindTable { return Item(name: "unwind table", state: .ok, detail: ".eh_frame") }
        if !identity.hasCode {
            return Item(name: "unwind table", state: .ok, detail: "in the file that this one belongs to")
        }
        if identity.hasDebugFrame {
            return Item(
                name: "unwind table", state: .ok, detail: ".debug_frame: read after the crash, not in the handler")
        }
        return Item(
            name: "unwind table", state: .missing, detail: "stacks through it are followed by frame pointers or a scan",
            cure: "compile with -fasynchronous-unwind-tables and link without --no-eh-frame-hdr")
    }

    private var source: Item? {
        guard let dwarf, dwarf.sourcesLookedAt > 0 else { return nil }
        let detail = "\(dwarf.sourcesFound) of \(dwarf.sourcesLookedAt) files are on this machine"
        if dwarf.sourcesFound == dwarf.sourcesLookedAt { return Item(name: "source", state: .ok, detail: detail) }
        let folder = dwarf.compilationFolder.map { " (compiled in \($0))" } ?? ""
        return Item(
            name: "source", state: dwarf.sourcesFound == 0 ? .missing : .partial, detail: detail + folder,
            cure: "vaka upload debug --include-sources, on the machine that builds")
    }

    /// The separate debug file of a stripped one.
    private var companion: Candidate? {
        let file = Candidate(path: path, identity: identity, source: path)
        if let linked = DebugLink.companion(of: file, useSystem: true) { return linked }
        guard let buildID = identity.buildID else { return nil }
        let system = DebugLink.path(buildID, under: DebugLink.systemFolder)
        guard let found = try? ELFIdentifier.identify(path: system), found.buildID == buildID else { return nil }
        return Candidate(path: system, identity: found, source: system)
    }

    private static func exists(_ name: String, beside path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return (try? ELFIdentifier.identify(path: name.hasPrefix("/") ? name : folder + name)) != nil
    }
}
