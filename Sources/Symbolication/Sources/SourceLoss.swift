// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Says which source could not be shown: once for a file or, where there was nothing to look in, once for an image.
struct SourceLoss {
    private struct Image: Hashable {
        var name: String
        var buildID: BuildID?
    }

    private var files: [String: String] = [:]
    private var images: [Image: Set<String>] = [:]

    private static let maximumFiles = 50

    mutating func note(_ file: String, _ why: String) {
        if files.count < Self.maximumFiles || files[file] != nil { files[file] = why }
    }

    mutating func noteNowhere(_ file: String, _ frame: Frame) {
        images[Image(name: frame.module ?? "an image", buildID: frame.buildID), default: []].insert(file)
    }

    func entries(_ reader: SourceReader, leftOut: Int) -> [Loss] {
        var result = files.sorted { $0.key < $1.key }.map { file, why in
            Loss(what: SourceAttachment.mark + file, why: why)
        }
        for (image, files) in images.sorted(by: { $0.key.name < $1.key.name }) {
            let identity = image.buildID.map { " (build id \($0))" } ?? ""
            result.append(
                Loss(what: SourceAttachment.mark + image.name + identity, why: why(files, image, reader)))
        }
        if leftOut > 0 {
            result.append(
                Loss(
                    what: SourceAttachment.mark + "further frames",
                    why: "\(leftOut) more frames have source; a report holds that of the first ones"))
        }
        return result
    }

    private func why(_ files: Set<String>, _ image: Image, _ reader: SourceReader) -> String {
        let example = files.min() ?? ""
        let which = files.count == 1 ? example : "\(example) and \(files.count - 1) more"
        if let problem = reader.problem { return "no source bundle; \(problem)" }
        return reader.hasFolders
            ? "\(which): in no source bundle, and not below the folders whose sources may be read; "
                + "give --source-root DIR or --source-map FROM=TO"
            : image.buildID == nil
                ? "source bundles are found by build id, and the image has none; link with -Wl,--build-id=sha1"
                : "no source bundle; run vaka upload debug --include-sources where it is built"
    }
}
