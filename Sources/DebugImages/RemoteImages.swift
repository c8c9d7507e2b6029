// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Where files of images can be had from that are not on this machine.
package protocol RemoteImages: Sendable {
    /// The file of a build id, brought to this machine; its build id has been checked. Any thread; may take long.
    func fetch(_ kind: RemoteImageKind, _ buildID: BuildID) -> RemoteImageAnswer
}

/// What is asked for.
package enum RemoteImageKind: String, Sendable, CaseIterable {
    /// The file that names addresses.
    case debuginfo
    /// The file that was loaded.
    case executable
}

package enum RemoteImageAnswer: Sendable, Equatable {
    /// Where the file is now, and where it came from.
    case file(path: String, source: String)
    /// Why nobody gave it, with who was asked.
    case absent(String)
}
