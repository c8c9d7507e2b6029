// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Unwinding
import VakaModel

/// One image of an event with the files found for it.
struct SymbolicImage {
    let image: DebugImage
    private(set) var found: FoundImage
    let isInApp: Bool?
    /// The file with the best names, and, where it is another, the one that was loaded.
    private let files: [DebugFile]
    private let memory: NameMemory
    private let architecture: String?
    private let bias: UInt64
    private let activity: ImageActivity?

    init(
        _ image: DebugImage, found: FoundImage, architecture: String?, rules: InAppRules, cache: DebugFileCache,
        activity: ImageActivity?
    ) {
        self.image = image
        self.architecture = architecture
        self.activity = activity
        self.found = found
        isInApp = rules.isInApp(path: image.codeFile)
        var files: [DebugFile] = []
        for path in [found.debugPath, found.codePath].compactMap({ $0 })
        where !files.contains(where: { $0.path == path }) {
            activity?.reads(path)
            do {
                files.append(try cache.file(path))
            } catch {
                self.found.status = .malformed
                self.found.detail = error.description
            }
        }
        // One of two files may do.
        if !files.isEmpty { self.found.status = .found }
        self.files = files
        memory = cache.memory(of: files, isInApp: isInApp, architecture: architecture)
        bias = Self.bias(image, firstLoadAddress: files.last?.identity.firstLoadAddress ?? 0)
    }

    var hasDebugInfo: Bool { files.contains { $0.hasDebugInfo } }

    /// What keeps the files from saying more.
    var problem: String? { files.lazy.compactMap(\.problem).first }

    /// Whether the instruction before an address of the process is a call; nil where the code is not there.
    func isBehindCall(_ address: UInt64, _ code: CodeFiles) -> Bool? {
        guard let path = found.codePath else { return nil }
        let linked = address &- bias
        return memory.isBehindCall(linked) {
            CallInstruction.precedes(linked, architecture: architecture) { code.read(path, $0, $1) }
        }
    }

    /// The function that the call right before an address of the process leads to; nil where the instruction does not tell,
    /// or that is in another image.
    func function(calledBefore address: UInt64, _ code: CodeFiles) -> LookupFrame? {
        guard let path = found.codePath else { return nil }
        let linked = address &- bias
        return memory.target(ofCallBefore: linked) {
            CallInstruction.target(
                before: linked, architecture: architecture, read: { code.read(path, $0, $1) }
            ).flatMap { target in files.lazy.compactMap { $0.function(startingAt: target) }.first }
        }
    }

    /// What is known of an address of the process.
    func answer(at address: UInt64) -> NameMemory.Answer {
        let linked = address &- bias
        return memory.answer(at: linked) {
            let levels = lookup(linked)
            return NameMemory.Answer(
                levels: SwiftFrames.cleaned(levels).map { FrameLevel($0, inApp: isInApp) },
                lacksDebugInfo: levels.last?.notes.contains(LookupFrame.symbolTable) ?? false)
        }
    }

    /// The levels at an address as linked, innermost first.
    private func lookup(_ linked: UInt64) -> [LookupFrame] {
        for file in files {
            activity?.reads(file.path)
            var frames = file.lookup(address: linked, nearestLines: true)
            if let last = frames.last {
                if last.symbol == nil, let name = files.lazy.compactMap({ $0.symbol(at: linked) }).first {
                    frames[frames.count - 1].symbol = name
                    frames[frames.count - 1].function = Demangler.readable(name)
                }
                return frames
            }
        }
        return []
    }

    /// Actual minus linked address. Where the sender did not know it: from the image's address, which some recorders
    /// round down to its page.
    private static func bias(_ image: DebugImage, firstLoadAddress: UInt64) -> UInt64 {
        if let known = image.loadBias { return known.rawValue }
        let exact = image.imageAddress.rawValue &- firstLoadAddress
        return exact & 0xFFF == 0 ? exact : image.imageAddress.rawValue &- (firstLoadAddress & ~0xFFF)
    }
}
