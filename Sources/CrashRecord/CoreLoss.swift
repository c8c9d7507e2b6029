// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import Glibc
import VakaModel

/// What a record that was made of a core could not have.
struct CoreLoss {
    private let entry: vaka_loss

    init(_ entry: vaka_loss) { self.entry = entry }

    func loss() -> Loss {
        switch vaka_loss_kind(rawValue: entry.kind) {
        case VAKA_LOSS_CORE_CONTEXT:
            Loss(what: "breadcrumbs, user and tags", why: "a core does not hold them")
        case VAKA_LOSS_CORE_CUT:
            Loss(what: "memory of the core", why: whyCut)
        case VAKA_LOSS_CORE_SPOOL:
            Loss(
                what: "memory of the core",
                why: "it could not be kept: " + String(cString: strerror(Int32(truncatingIfNeeded: entry.value))))
        case VAKA_LOSS_IMAGE_FILES:
            Loss(
                what: "call frame information of \(entry.value) image\(entry.value == 1 ? "" : "s")",
                why: "neither the core nor a file with the build id had it: frames beyond are guesses")
        default:
            Loss(what: "frames, messages", why: whyNotAnalysed)
        }
    }

    private var whyCut: String {
        switch vaka_core_end(rawValue: entry.argument) {
        case VAKA_CORE_SHORT: "it ended after \(entry.value) bytes"
        case VAKA_CORE_TIME: "the time for reading it was over after \(entry.value) bytes"
        case VAKA_CORE_BYTES: "no more than \(entry.value) bytes of it were to be read"
        default: "it could not be read after \(entry.value) bytes"
        }
    }

    private var whyNotAnalysed: String {
        switch vaka_analysis_end(rawValue: entry.argument) {
        case VAKA_ANALYSIS_DIED: "the process that read the images' files ended by signal \(entry.value)"
        case VAKA_ANALYSIS_TIME: "reading the images' files took too long"
        default: "the images' files could not be read"
        }
    }
}
