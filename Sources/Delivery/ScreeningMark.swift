// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The file `screening`, there while an event of an earlier run is screened: where it is found at the beginning, the process
/// that screened ended over it. It holds how often that happened in a row. To be used under the folder's recovery lock.
struct ScreeningMark {
    /// A kill at that very moment is no fault of the screen, twice in a row is.
    private static let deathLimit = 2

    private let folder: StorageFolder
    private let deaths: Int

    init(_ folder: StorageFolder) {
        self.folder = folder
        let content = (try? DurableFile.read(Self.path(folder), limit: 64)).flatMap { $0 }
        deaths = content.map { Int(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) ?? 1 } ?? 0
    }

    /// Nothing is to be screened any more, nor sent without that.
    var isFatal: Bool { deaths >= Self.deathLimit }

    func set() {
        // Of a process's end it is enough that the kernel has it.
        let text = Array("\(deaths + 1)\n".utf8)
        let descriptor = open(Self.path(folder), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, text, text.count)
        close(descriptor)
    }

    /// Also where the process ends in an orderly way meanwhile.
    static func clear(_ folder: StorageFolder) {
        unlink(path(folder))
    }

    private static func path(_ folder: StorageFolder) -> String { folder.path + "/screening" }
}
