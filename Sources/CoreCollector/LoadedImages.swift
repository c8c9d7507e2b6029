// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile
import VakaModel

/// The images of a core: those whose headers it has, and, of those that it has not (a core may leave them out), what
/// their files say.
struct LoadedImages {
    let images: [CoreImage]

    init(_ core: CollectedCore) {
        var images = CoreImages(notes: core.notes, memory: core.spool).images()
        let known = Set(images.map(\.image.imageAddress.rawValue))
        for file in core.notes.files where file.fileOffset == 0 && !known.contains(file.start) {
            guard let found = core.images.file(at: file.start),
                !images.contains(where: { $0.image.contains(file.start) })
            else { continue }
            images.append(Self.image(file, found))
        }
        if !images.contains(where: \.isExecutable), let entry = core.notes.auxiliary(AT_ENTRY),
            let index = images.firstIndex(where: { $0.image.contains(entry) })
        {
            images[index].isExecutable = true
        }
        self.images = images
    }

    /// Where the file is not surely the one that was mapped, its build id is not said to be the image's.
    private static func image(_ mapping: CoreNotes.MappedFile, _ file: OpenImages.File) -> CoreImage {
        let first = file.headers.programHeaders.first { $0.p_type == UInt32(PT_LOAD) }
        let bias = mapping.start &- (first.map { $0.p_vaddr & ~0xfff } ?? 0)
        let image = DebugImage(
            buildID: file.isMapped ? file.headers.buildID : nil, codeFile: CoreImages.plainPath(mapping.path),
            imageAddress: HexAddress(mapping.start), imageSize: file.headers.loadedBytes, loadBias: HexAddress(bias))
        return CoreImage(image: image, programHeaders: file.headers.programHeaders)
    }
}
