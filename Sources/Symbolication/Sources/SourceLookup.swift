// SPDX-License-Identifier: Apache-2.0
package import SourceBundles

/// Where source lines are looked for: first in the image's bundle, then, where a command allows it, in folders of this
/// machine.
package struct SourceLookup: Sendable {
    package var bundles: SourceBundleFinder
    /// Nil, as in a service: no file of this machine is read.
    package var folders: SourceFolders?

    package init(bundles: SourceBundleFinder, folders: SourceFolders? = nil) {
        self.bundles = bundles
        self.folders = folders
    }
}
