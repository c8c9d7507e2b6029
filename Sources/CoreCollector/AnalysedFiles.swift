// SPDX-License-Identifier: Apache-2.0
import CoreFile
import Glibc
import VakaModel

/// The file of each image: the one that was opened, or what the core holds of it, by build id. None where files are not
/// to be looked into.
final class AnalysedFiles {
    struct File {
        var descriptor: Int32
        var headers: ElfHeaders
    }

    let machine: UInt16
    private var files: [UInt64: File] = [:]
    private var made: [Int32] = []

    /// - Parameter open: nil: no file is to be looked into.
    init(images: [CoreImage], open: OpenImages?, memory: any ProcessMemory, machine: UInt16) {
        self.machine = machine
        guard let open else { return }
        for image in images {
            let start = image.image.imageAddress.rawValue
            // Of an image whose header is not in the core, nothing speaks against the file at its path.
            let found = open.file(of: image.image) ?? (memory.bytes(start, 1).isEmpty ? open.file(at: start) : nil)
            if let found {
                files[start] = File(descriptor: found.descriptor, headers: found.headers)
            } else if let file = MemoryImage.make(image, memory: memory) {
                made.append(file)
                guard let headers = ElfHeaders(descriptor: file) else { continue }
                files[start] = File(descriptor: file, headers: headers)
            }
        }
    }

    deinit { made.forEach { close($0) } }

    func file(of image: CoreImage) -> File? { files[image.image.imageAddress.rawValue] }
    func file(of image: DebugImage) -> File? { files[image.imageAddress.rawValue] }
}
