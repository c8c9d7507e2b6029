// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// The link from a unit to its part in a `.dwo` file.
enum SplitUnit {
    /// Whether libdw may follow the link: it opens whatever the file names, so a name that leads to a pipe or a device is
    /// refused beforehand.
    static func isSafe(_ unit: DIE, beside debugFile: String) -> Bool {
        guard let name = name(unit) else { return false }
        let folder = unit.text(DW_AT_comp_dir) ?? ""
        let beside = debugFile.lastIndex(of: "/").map { String(debugFile[..<$0]) } ?? "."
        return [name, LineHeader.join(folder, name), LineHeader.join(beside, name)].allSatisfy { path in
            var status = stat()
            return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        }
    }

    static func name(_ unit: DIE) -> String? {
        unit.text(DW_AT_dwo_name) ?? unit.text(DW_AT_GNU_dwo_name)
    }
}
