// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// Names the frames of one event.
final class FrameNamer {
    private let event: Event
    private let finder: ImageFinder
    private let rules: InAppRules
    private let cache: DebugFileCache
    private let code: CodeFiles
    private let lookup: ImageLookup
    private let earlier: NamedFrames
    private(set) var images: [Int: SymbolicImage] = [:]
    private(set) var loss = SymbolLoss()

    /// - Parameter earlier: frames as an earlier symbolication named them, to keep where the files are gone meanwhile.
    init(
        _ event: Event, earlier: NamedFrames, finder: ImageFinder, rules: InAppRules, cache: DebugFileCache,
        code: CodeFiles
    ) {
        self.event = event
        self.earlier = earlier
        self.finder = finder
        self.rules = rules
        self.cache = cache
        self.code = code
        lookup = ImageLookup(event.debugImages)
    }

    /// The files that named the images, by the images' addresses.
    var debugPaths: [HexAddress: String] {
        var result: [HexAddress: String] = [:]
        for image in images.values {
            result[image.image.imageAddress] = image.found.debugPath ?? image.found.codePath
        }
        return result
    }

    /// The frames with names, each inlined one before the physical frame that holds it.
    func name(_ frames: [Frame]) -> [Frame] {
        var named = frames.map(name)
        for index in frames.indices.dropLast() {
            guard let callee = named[index].last, let gone = functionBetween(callee, frames[index + 1]) else {
                continue
            }
            named[index][named[index].count - 1].notes.append(FrameNotes.tailCall + gone)
        }
        return SwiftFrames.joined(InAppRules.withoutStartUp(named.flatMap { $0 }))
    }

    /// The function that the caller called where that is another than the callee: it ended in a jump to the callee, or to
    /// one that did.
    private func functionBetween(_ callee: Frame, _ caller: Frame) -> String? {
        guard callee.inApp == true, callee.trust == .context || callee.trust == .cfi, let symbol = callee.symbol,
            caller.trust == .cfi, !caller.notes.contains(Frame.interrupted),
            let index = lookup.index(at: caller.lookupAddress), index == lookup.index(at: callee.lookupAddress),
            let called = image(index).function(calledBefore: caller.instructionAddress.rawValue, code),
            let other = called.symbol, !SymbolKinship.areKin(symbol, other)
        else { return nil }
        return called.function
    }

    private func name(_ frame: Frame) -> [Frame] {
        let address = frame.lookupAddress
        var bare = frame
        guard let index = lookup.index(at: address) ?? lookup.index(at: frame.instructionAddress.rawValue) else {
            bare.status = .noModule
            loss.note(.noModule, image: nil)
            return [bare]
        }
        let image = image(index)
        bare.module = image.image.name
        bare.buildID = image.image.buildID
        bare.relativeAddress = HexAddress(frame.instructionAddress.rawValue &- image.image.imageAddress.rawValue)
        bare.inApp = image.isInApp
        let answer = image.answer(at: place(of: frame, address, image))
        bare.status = Self.status(answer, image)
        loss.note(bare.status ?? .noSymbol, image: index)
        if answer.levels.isEmpty { return earlier.frames(for: bare) ?? [bare] }
        return answer.levels.map { $0.frame(bare) }
    }

    /// Only what lies behind a call is looked up before its address: a thread's first function, a signal's trampoline and
    /// a coroutine that is to be resumed stand where they are.
    private func place(of frame: Frame, _ lookupAddress: UInt64, _ image: SymbolicImage) -> UInt64 {
        let address = frame.instructionAddress.rawValue
        guard lookupAddress != address, !frame.notes.contains(Frame.trapped),
            image.isBehindCall(address, code) == false
        else { return lookupAddress }
        return address
    }

    private func image(_ index: Int) -> SymbolicImage {
        if let known = images[index] { return known }
        let image = event.debugImages[index]
        let found = finder.find(image, machine: event.arch.flatMap(ELFIdentifier.machine(named:)))
        let result = SymbolicImage(
            image, found: found, architecture: event.arch, rules: rules, cache: cache, activity: finder.activity)
        images[index] = result
        return result
    }

    private static func status(_ answer: NameMemory.Answer, _ image: SymbolicImage) -> FrameStatus {
        guard image.found.status == .found else { return .missingImage }
        if answer.levels.isEmpty { return .noSymbol }
        return answer.lacksDebugInfo ? .noDebugInfo : .symbolicated
    }
}
