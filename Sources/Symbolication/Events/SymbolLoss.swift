// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// Says, once for an image, what could not be named of its frames and what would mend it.
struct SymbolLoss {
    /// What the entries begin with, so that those of an earlier symbolication are known and replaced.
    static let mark = "symbols of "

    private var unresolved: [Int: Set<FrameStatus>] = [:]
    private var withoutModule = 0

    mutating func note(_ status: FrameStatus, image: Int?) {
        if let image {
            unresolved[image, default: []].insert(status)
        } else {
            withoutModule += 1
        }
    }

    func entries(_ images: [Int: SymbolicImage]) -> [Loss] {
        var result: [Loss] = []
        for (index, statuses) in unresolved.sorted(by: { $0.key < $1.key }) {
            guard let image = images[index], let why = reason(image, statuses) else { continue }
            let identity = image.image.buildID.map { " (build id \($0))" } ?? ""
            result.append(
                Loss(
                    what: Self.mark + (image.image.name ?? "the image at \(image.image.imageAddress)") + identity,
                    why: why))
        }
        if withoutModule > 0 {
            let frames = withoutModule == 1 ? "one frame lies" : "\(withoutModule) frames lie"
            result.append(
                Loss(
                    what: Self.mark + "addresses outside all images",
                    why: "\(frames) in no image: generated code, or a wild jump"))
        }
        return result
    }

    private func reason(_ image: SymbolicImage, _ statuses: Set<FrameStatus>) -> String? {
        if image.image.codeFile.map(InAppRules.isKernelImage) == true {
            return statuses.isDisjoint(with: [.missingImage, .noSymbol])
                ? nil : "the kernel's own image has no file; nothing can be uploaded for it"
        }
        if statuses.contains(.missingImage) {
            return "\(image.found.detail ?? "no file was found"); \(cure(image, "the file with this build id"))"
        }
        if let problem = image.problem { return problem }
        if statuses.contains(.noSymbol) {
            return image.hasDebugInfo
                ? "neither its debug information nor its symbols cover every address"
                : "no debug information, and its symbol table does not cover every address; "
                    + cure(image, "the unstripped file")
        }
        // Start-up code is linked in without debug information everywhere, and nobody looks for lines in the system's own
        // libraries: there the frames' status says enough.
        if statuses.contains(.noDebugInfo), !image.hasDebugInfo, image.isInApp != false {
            let detail = image.found.detail.map { "\($0); " } ?? ""
            return "no debug information: names by the symbol table, no lines; \(detail)"
                + cure(image, "the unstripped file")
        }
        return image.found.detail
    }

    private func cure(_ image: SymbolicImage, _ what: String) -> String {
        image.isInApp == false
            ? "install the debug package of its library (such as libc6-dbg), or give it with --symbols PATH"
            : "give \(what) with --symbols PATH, or run vaka upload debug PATH"
    }
}
