// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a check says of an image's call frame information.
struct UnwindFinding {
    let identity: ELFIdentity
    let coverage: ImageCoverage?

    /// Below this share, stacks end early often. Hand-written assembly has none.
    private static let usualPercent = 90.0
    private static let cure = "compile with -fasynchronous-unwind-tables and link without --no-eh-frame-hdr"

    var finding: ImageFinding {
        if identity.hasUnwindTable { return described(".eh_frame", coverage?.ehFrame) }
        let debugFrame = coverage?.debugFrame.map { ", and .debug_frame here: \(share($0))" } ?? ""
        if !identity.hasCode {
            return ImageFinding(
                name: "unwind table", state: .ok, detail: "in the file that this one belongs to\(debugFrame)")
        }
        if identity.hasDebugFrame {
            return described(".debug_frame, read after the crash, not in the handler", coverage?.debugFrame)
        }
        return ImageFinding(
            name: "unwind table", state: .missing, detail: "stacks through it are followed by frame pointers or a scan",
            cure: Self.cure)
    }

    private func described(_ place: String, _ bytes: UInt64?) -> ImageFinding {
        guard let coverage, let bytes else { return ImageFinding(name: "unwind table", state: .ok, detail: place) }
        let detail = "\(place): \(share(bytes))"
        if bytes == 0 {
            return ImageFinding(
                name: "unwind table", state: .missing, detail: "\(detail); damaged, or of other code",
                cure: "build or copy the file again")
        }
        return coverage.isUsual(bytes, percent: Self.usualPercent)
            ? ImageFinding(name: "unwind table", state: .ok, detail: detail)
            : ImageFinding(name: "unwind table", state: .partial, detail: detail, cure: Self.cure)
    }

    private func share(_ bytes: UInt64) -> String { "\(coverage?.percent(bytes) ?? 0) % of .text" }
}
