// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Finds the file that `dwz -m` moved common debug information into, as `.gnu_debugaltlink` names it.
package enum CommonDebugFile {
    /// The open file, its build id as the link says; nil where there is no link, or no such file.
    package static func open(for file: DebugSections) -> DebugSections? {
        guard let link = file.bytes(".gnu_debugaltlink"), let end = link.firstIndex(of: 0), end > 0 else { return nil }
        let name = String(decoding: link[..<end], as: UTF8.self)
        let buildID = BuildID(bytes: link[(end + 1)...])
        return places(name, buildID, beside: file.path).lazy.compactMap { try? DebugSections(path: $0) }.first {
            $0.identity.buildID == buildID
        }
    }

    private static func places(_ name: String, _ buildID: BuildID?, beside path: String) -> [String] {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let named = name.hasPrefix("/") ? name : folder + "/" + name
        return [named] + (buildID.map { [DebugLink.path($0, under: DebugLink.systemFolder)] } ?? [])
    }
}
