// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import SourceBundles
import VakaModel

/// Reads source files for frames, and keeps those that were read last. Not thread-safe.
final class SourceReader {
    /// What a file came to.
    enum Answer {
        case found(SourceLines, origin: SourceOrigin, verified: Bool)
        /// A bundle or a folder could have had it: worth a word of its own.
        case refused(String)
        /// There is nothing to look in: worth one word for the image.
        case nowhere
    }

    /// An image whose file was found, for what its debug information says of sources.
    struct Image: Hashable {
        var buildID: BuildID?
        var debugPath: String?
    }

    private struct Key: Hashable {
        var image: Image
        var path: String
    }

    private enum OpenBundle {
        case open(SourceBundle)
        case broken(SourceBundleError)
        case none
    }

    /// What one image's debug information says of its sources.
    private struct Listing {
        var files: [String: SourceReference] = [:]
        var builtAt: Int?
    }

    private static let keptBytes = 64 << 20
    private static let keptBundles = 8

    private let lookup: SourceLookup
    private var answers: [Key: Answer] = [:]
    private var answerBytes = 0
    private var bundles: [BuildID: OpenBundle] = [:]
    private var listings: [String: Listing] = [:]

    init(_ lookup: SourceLookup) {
        self.lookup = lookup
    }

    /// Files of this machine may be read.
    var hasFolders: Bool { lookup.folders?.isEmpty == false }

    /// What keeps bundles that were named from being used.
    var problem: SourceBundleError? { lookup.bundles.problem() }

    func hasBundle(_ buildID: BuildID?) -> Bool {
        if case .open? = buildID.map(bundle) { true } else { false }
    }

    func read(_ path: String, of image: Image) -> Answer {
        let key = Key(image: image, path: path)
        if let known = answers[key] { return known }
        let answer = find(path, image)
        if answerBytes > Self.keptBytes {
            answers = [:]
            answerBytes = 0
        }
        if case .found(let lines, _, _) = answer { answerBytes += lines.byteCount }
        answerBytes += path.utf8.count + MemoryLayout<Answer>.size
        answers[key] = answer
        return answer
    }

    private func find(_ path: String, _ image: Image) -> Answer {
        let bundled = image.buildID.map { inBundle(path, $0) } ?? .nowhere
        guard let folders = lookup.folders, !folders.isEmpty, let debugPath = image.debugPath else { return bundled }
        if case .found = bundled { return bundled }
        let local = inFolders(path, folders, listing(debugPath))
        if case .nowhere = local { return bundled }
        return local
    }

    // MARK: Bundles

    private func inBundle(_ path: String, _ buildID: BuildID) -> Answer {
        switch bundle(buildID) {
        case .none: return .nowhere
        case .broken(let error): return .refused("its source bundle cannot be used: \(error.message)")
        case .open(let bundle):
            guard let file = bundle.file(path) else {
                let why = bundle.manifest.missing.files.first { $0.path == path }?.why
                return .refused("not in its source bundle" + (why.map { ": \($0.words) when that was made" } ?? ""))
            }
            do {
                return .found(
                    SourceLines(try bundle.contents(file)), origin: .bundle, verified: file.verified)
            } catch {
                return .refused("its source bundle cannot be used: \(error.message)")
            }
        }
    }

    private func bundle(_ buildID: BuildID) -> OpenBundle {
        if let known = bundles[buildID] { return known }
        let found = open(buildID)
        if bundles.count >= Self.keptBundles { bundles = [:] }
        bundles[buildID] = found
        return found
    }

    private func open(_ buildID: BuildID) -> OpenBundle {
        guard let path = lookup.bundles.path(buildID) else { return .none }
        do {
            let bundle = try SourceBundle(path: path)
            return bundle.buildID == buildID ? .open(bundle) : .none
        } catch {
            return .broken(error)
        }
    }

    // MARK: Folders of this machine

    private func inFolders(_ path: String, _ folders: SourceFolders, _ listing: Listing) -> Answer {
        switch folders.read(path) {
        case .failure(let omission):
            let isElsewhere = [.outside, .notFound, .notSource].contains(omission.why)
            return isElsewhere ? .nowhere : .refused(omission.why.words)
        case .success(let contents):
            let checksums = listing.files[path]?.checksums ?? []
            if checksums.isEmpty, let builtAt = listing.builtAt, contents.modified > builtAt {
                return .refused(SourceOmission.changed.words)
            }
            guard checksums.isEmpty || checksums.contains(Digest.md5(contents.bytes)) else {
                return .refused(SourceOmission.changed.words)
            }
            return .found(SourceLines(contents.bytes), origin: .file, verified: !checksums.isEmpty)
        }
    }

    private func listing(_ debugPath: String) -> Listing {
        if let known = listings[debugPath] { return known }
        var listing = Listing(builtAt: SourceFolders.writeTime(debugPath))
        for file in (try? SourceFileList(path: debugPath))?.files ?? [] { listing.files[file.path] = file }
        listings[debugPath] = listing
        return listing
    }
}
