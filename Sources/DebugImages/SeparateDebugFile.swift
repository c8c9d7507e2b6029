// SPDX-License-Identifier: Apache-2.0

/// Finds on this machine the debug file that was taken off a stripped program or library.
package enum SeparateDebugFile {
    /// The file to read for names and lines: the given one where it has debug information of its own or nothing else
    /// belongs to it. Any thread.
    package static func path(for path: String) throws(DebugImageError) -> String {
        let identity = try ELFIdentifier.identify(path: path)
        guard !identity.hasDebugInfo else { return path }
        let found = companion(of: Candidate(path: path, identity: identity, source: path))
        return found?.identity.hasDebugInfo == true ? found?.path ?? path : path
    }

    /// By the file's link, else by its build id in the system's folder.
    static func companion(of file: Candidate) -> Candidate? {
        if let linked = DebugLink.companion(of: file, useSystem: true) { return linked }
        guard let buildID = file.identity.buildID else { return nil }
        let path = DebugLink.path(buildID, under: DebugLink.systemFolder)
        guard let found = try? ELFIdentifier.identify(path: path), found.buildID == buildID else { return nil }
        return Candidate(path: path, identity: found, source: "the system")
    }
}
