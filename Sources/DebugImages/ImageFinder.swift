// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import VakaModel

/// Finds the files of a report's images: in the paths a person named, in an image store, on this machine.
///
/// Any thread. The named paths are read once, at the first search; answers are kept.
package final class ImageFinder: Sendable {
    private struct State {
        var index: SymbolPathIndex?
        var answers: [Key: FoundImage] = [:]
    }

    private struct Key: Hashable {
        var buildID: BuildID?
        var path: String?
        var size: UInt64
        var machine: String?
    }

    private let symbolPaths: [String]
    private let store: ImageStore?
    private let useSystem: Bool
    private let keepsAnswers: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - symbolPaths: files or folders, searched by build id.
    ///   - store: where uploaded images are.
    ///   - useSystem: also use files at their recorded path whose build id matches, and the system's debug files.
    ///   - keepsAnswers: false where files come and go while this object lives, as in a service.
    package init(
        symbolPaths: [String] = [], store: ImageStore? = nil, useSystem: Bool = true, keepsAnswers: Bool = true
    ) {
        self.symbolPaths = symbolPaths.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        self.store = store
        self.useSystem = useSystem
        self.keepsAnswers = keepsAnswers
    }

    /// - Parameter machine: the report's architecture: files for another are not taken, whatever build id they have.
    package func find(_ image: DebugImage, machine: String? = nil) -> FoundImage {
        let key = Key(buildID: image.buildID, path: image.codeFile, size: image.imageSize, machine: machine)
        return state.withLock { state in
            if keepsAnswers, let known = state.answers[key] { return known }
            let index = state.index ?? SymbolPathIndex(symbolPaths)
            state.index = index
            let search = ImageSearch(
                index: index, store: store, useSystem: useSystem, symbolPaths: symbolPaths, machine: machine)
            let answer = search.find(image)
            if keepsAnswers { state.answers[key] = answer }
            return answer
        }
    }

    /// What was wrong with the named paths; empty when all could be read.
    package func problems() -> [DebugImageError] {
        state.withLock { state in
            let index = state.index ?? SymbolPathIndex(symbolPaths)
            state.index = index
            return index.problems
        }
    }
}
