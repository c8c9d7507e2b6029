// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials

extension Lifecycle {
    /// Erases parts of what is kept, also where nothing runs.
    func clear(_ parts: [KeptData]) {
        do {
            if let client = lastClient { return try client.clear(parts) }
            for path in storagePaths { try KeptData.erase(parts, path: path) }
        } catch {
            DebugLog.say("Vaka could not erase everything: \(error)")
        }
    }

    /// Where the most recent start keeps its things, or a start without a folder would; the first that can be used is used.
    var storagePaths: [String] {
        StorageChoice.paths(
            recentOptions?.storageDirectory?.path, application: StorageChoice.application,
            environment: ProcessInfo.processInfo.environment)
    }
}
