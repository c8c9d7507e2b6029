// SPDX-License-Identifier: Apache-2.0
import CoreFile

/// A core's mapped files, by address.
struct FileMappings {
    private let files: [CoreNotes.MappedFile]
    /// Of each, where the mapping of the same file's first byte before it is.
    private let starts: [UInt64]

    init(_ notes: CoreNotes) {
        files = notes.files.sorted { $0.start < $1.start }
        var starts: [UInt64] = []
        for (index, file) in files.enumerated() {
            let follows = index > 0 && file.fileOffset > 0 && files[index - 1].path == file.path
            starts.append(follows ? starts[index - 1] : file.start)
        }
        self.starts = starts
    }

    func isFile(_ address: UInt64) -> Bool { index(of: address) != nil }

    /// Where the image begins that a mapping is part of.
    func imageStart(of address: UInt64) -> UInt64? { index(of: address).map { starts[$0] } }

    private func index(of address: UInt64) -> Int? {
        var low = 0
        var high = files.count
        while low < high {
            let middle = (low + high) / 2
            if files[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        return low > 0 && address < files[low - 1].end ? low - 1 : nil
    }
}
