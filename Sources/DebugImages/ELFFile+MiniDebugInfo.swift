// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
    /// The file packed into `.gnu_debugdata`, which holds a symbol table; nil where there is none that can be read.
    package func miniDebugInfo() -> ELFFile? {
        guard let section = section(".gnu_debugdata"), let packed = contents(section),
            let unpacked = MiniDebugInfo(packed: packed)
        else { return nil }
        return try? ELFFile(unpacked, path: path)
    }
}
