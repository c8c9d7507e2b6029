// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Synchronization
package import VakaModel

/// Finds the source bundle of an image: under the paths that a person named, and in a store.
///
/// Any thread. The named paths are walked once, at the first search.
package final class SourceBundleFinder: Sendable {
    private let symbolPaths: [String]
    private let store: SourceBundleStore?
    private let index = Mutex<Index?>(nil)

    private struct Index: Sendable {
        var paths: [BuildID: String] = [:]
        var problem: SourceBundleError?
    }

    /// - Parameter symbolPaths: bundles, and folders searched for files named `….sources.zip`.
    package init(symbolPaths: [String] = [], store: SourceBundleStore? = nil) {
        self.symbolPaths = symbolPaths
        self.store = store
    }

    package func path(_ buildID: BuildID) -> String? {
        indexed().paths[buildID] ?? store?.path(buildID)
    }

    /// What is wrong with the first bundle under the named paths that cannot be used; nil when all can.
    package func problem() -> SourceBundleError? { indexed().problem }

    private func indexed() -> Index {
        index.withLock { index in
            let known = index ?? Self.index(symbolPaths)
            index = known
            return known
        }
    }

    /// The first bundle of each image.
    private static func index(_ paths: [String]) -> Index {
        var found = Index()
        _ = FolderWalk(paths) { file in
            guard file.path.hasSuffix(SourceBundle.fileEnding) else { return }
            do {
                let bundle = try SourceBundle(path: file.path)
                if found.paths[bundle.buildID] == nil { found.paths[bundle.buildID] = file.path }
            } catch {
                if found.problem == nil { found.problem = error as? SourceBundleError }
            }
        }
        return found
    }
}
