// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The answer to the upload of a debug image, a package or a source bundle.
struct UploadReply: Codable {
    var buildID: String
    var outcome: String
    @ExplicitNull var reason: String?
    /// What the image can give, what it lacks, and what would mend that; as `vaka check` says it. Empty for a bundle.
    var findings: [ImageFinding]

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case outcome, reason, findings
    }

    init(_ image: WorkerReply.Image) {
        buildID = image.buildID
        findings = image.findings
        switch image.outcome {
        case .stored: outcome = "stored"
        case .storedAside(let machine):
            outcome = "stored"
            reason =
                "set aside: what came first under this build id is for \(machine), this is for \(image.machine); "
                + "reports of either find their own"
        case .alreadyThere:
            outcome = "already_there"
            reason = "a file that says as much is stored under this build id"
        case .poorerThanStored:
            outcome = "poorer_than_stored"
            reason = "the stored file says more (lines, names or unwind tables); this one does not replace it"
        }
    }

    init(_ package: WorkerReply.Package) {
        buildID = package.buildID
        findings = []
        if case .stored = package.outcome {
            outcome = "stored"
            reason =
                package.completedUnits < package.splitUnits
                ? "it has \(package.completedUnits) of \(package.splitUnits) units that were split off" : nil
        } else {
            outcome = "already_there"
            reason = "a package with as many units is stored under this build id"
        }
    }

    init(_ bundle: WorkerReply.Bundle) {
        buildID = bundle.buildID
        findings = []
        outcome = bundle.outcome
        switch outcome {
        case "already_there": reason = "a bundle with as many sources is stored under this build id"
        case "poorer_than_stored": reason = "the stored bundle has more sources; this one does not replace it"
        default: break
        }
    }

    var isStored: Bool { outcome == "stored" }
}
