// SPDX-License-Identifier: Apache-2.0

/// Identifies files, but those that are not to be read.
struct CandidateReader: Sendable {
    var refusals = ImageRefusals.none
    var activity: ImageActivity?

    func identify(_ path: String) throws(DebugImageError) -> ELFIdentity {
        if let reason = refusals.reason(path) {
            throw DebugImageError(.malformed, path: path, "is not read any more: \(reason); build or copy it again")
        }
        activity?.reads(path)
        return try ELFIdentifier.identify(path: path)
    }
}
