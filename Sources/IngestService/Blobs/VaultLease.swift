// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Keeps images from being given up as long as it lives. Used by one thread.
final class VaultLease {
    private let vault: ImageVault
    private var buildIDs: Set<BuildID> = []

    init(_ vault: ImageVault) {
        self.vault = vault
    }

    deinit { vault.release(Array(buildIDs)) }

    func add(_ buildID: BuildID) {
        if buildIDs.insert(buildID).inserted { vault.lease([buildID]) }
    }
}
