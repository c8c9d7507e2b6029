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
    private let stores: [ImageStore]
    private let useSystem: Bool
    private let keepsAnswers: Bool
    private let refusals: ImageRefusals
    private let remote: (any RemoteImages)?
    /// Told of each file before it is read.
    package let activity: ImageActivity?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - symbolPaths: files or folders, searched by build id.
    ///   - stores: where uploaded images are, and others.
    ///   - useSystem: also use files at their recorded path whose build id matches, and the system's debug files.
    ///   - keepsAnswers: false where files come and go while this object lives, as in a service.
    ///   - refusals: files that are not to be read.
    ///   - activity: where to say which file is being read.
    ///   - remote: who is asked for what is not on this machine; nobody else is.
    package init(
        symbolPaths: [String] = [], stores: [ImageStore] = [], useSystem: Bool = true, keepsAnswers: Bool = true,
        refusals: ImageRefusals = .none, activity: ImageActivity? = nil, remote: (any RemoteImages)? = nil
    ) {
        self.symbolPaths = symbolPaths.map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        self.stores = stores
        self.useSystem = useSystem
        self.keepsAnswers = keepsAnswers
        self.refusals = refusals
        self.activity = activity
        self.remote = remote
    }

    private var reader: CandidateReader { CandidateReader(refusals: refusals, activity: activity) }

    /// - Parameter machine: the report's architecture: files for another are not taken, whatever build id they have.
    package func find(_ image: DebugImage, machine: String? = nil) -> FoundImage {
        let key = Key(buildID: image.buildID, path: image.codeFile, size: image.imageSize, machine: machine)
        return state.withLock { state in
            if keepsAnswers, let known = state.answers[key] { return known }
            defer { activity?.rests() }
            let index = state.index ?? SymbolPathIndex(symbolPaths, reader: reader)
            state.index = index
            let search = ImageSearch(
                index: index, stores: stores, useSystem: useSystem, symbolPaths: symbolPaths, machine: machine,
                reader: reader, remote: remote)
            let answer = search.find(image)
            if keepsAnswers { state.answers[key] = answer }
            return answer
        }
    }

    /// What was wrong with the named paths; empty when all could be read.
    package func problems() -> [DebugImageError] {
        state.withLock { state in
            let index = state.index ?? SymbolPathIndex(symbolPaths, reader: reader)
            state.index = index
            return index.problems
        }
    }
}
