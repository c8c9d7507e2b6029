// SPDX-License-Identifier: Apache-2.0
import SourceBundles
import VakaModel

/// Puts the source around them to the program's own frames of one event.
struct SourceAttachment {
    /// What the entries of `loss` begin with, so that those of an earlier attachment are known and replaced.
    static let mark = "source lines of "

    /// More than a person reads; a stack overflow has thousands.
    private static let maximumFrames = 200
    /// Of all lines of an event.
    private static let maximumBytes = 512 << 10

    private let reader: SourceReader
    /// The file with the debug information of each image that was found, by the image's address.
    private let debugPaths: [HexAddress: String]
    private var frames = 0
    private var bytes = 0
    private var leftOut = 0
    private var loss = SourceLoss()

    init(_ reader: SourceReader, debugPaths: [HexAddress: String] = [:]) {
        self.reader = reader
        self.debugPaths = debugPaths
    }

    /// The event with the source of its frames, as far as there is any, and `loss` for what there is not.
    static func attached(to event: Event, _ reader: SourceReader, debugPaths: [HexAddress: String] = [:]) -> Event {
        var attachment = SourceAttachment(reader, debugPaths: debugPaths)
        var result = event
        // The crashed thread first, while there is room.
        for index in result.threads.indices.sorted(by: { event.threads[$0].crashed && !event.threads[$1].crashed }) {
            attachment.attach(&result.threads[index].frames)
        }
        for index in result.errors.indices { attachment.attach(&result.errors[index].frames) }
        result.loss.removeAll { $0.what.hasPrefix(mark) }
        result.loss += attachment.loss.entries(reader, leftOut: attachment.leftOut)
        return result
    }

    private mutating func attach(_ frames: inout [Frame]) {
        for index in frames.indices { frames[index].sourceContext = context(frames[index]) }
    }

    private mutating func context(_ frame: Frame) -> SourceContext? {
        guard frame.inApp == true, let file = frame.file, let line = frame.line else { return nil }
        guard frames < Self.maximumFrames, bytes < Self.maximumBytes else {
            leftOut += 1
            return nil
        }
        let image = SourceReader.Image(buildID: frame.buildID, debugPath: frame.imageAddress.flatMap { debugPaths[$0] })
        switch reader.read(file, of: image) {
        case .nowhere: loss.noteNowhere(file, frame)
        case .refused(let why): loss.note(file, why)
        case .found(let lines, let origin, let verified):
            guard let context = lines.context(line, origin: origin, verified: verified) else {
                loss.note(file, "it has no line \(line): it is not the file that was compiled")
                return nil
            }
            frames += 1
            bytes += context.byteCount
            return context
        }
        return nil
    }
}

extension SourceContext {
    fileprivate var byteCount: Int { (pre + post).reduce(line.utf8.count) { $0 + $1.utf8.count } }
}

extension Frame {
    fileprivate var imageAddress: HexAddress? {
        relativeAddress.map { HexAddress(instructionAddress.rawValue &- $0.rawValue) }
    }
}
