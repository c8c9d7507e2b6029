// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc
package import VakaModel

/// The last moments of a run's screen recording, in two files of `recordings/`: the part that is being recorded and the one
/// before it. A process writes them as it goes, so that nothing is left to be done when it crashes or is killed.
///
/// A file is a row of gzip members, each one line: a letter, and JSON. `H` (the first): the part without frames; `F`: a frame;
/// `T`: a tap; `W`: how many taps were withheld; `E`: milliseconds until which nothing changed. What is not whole at the end
/// is passed over.
package enum LastMoments {
    /// Where the run's context names them.
    package static let contextKey = "recording"
    static let suffix = ".moments"
    /// Compressed bytes of a file that is read.
    private static let fileLimit = 4 << 20
    /// Bytes of the lines of a file that are read: of a part, and what the lines add.
    private static let textLimit = RecordingLimits.bytes * 2

    /// Reads a part; nil where there is none.
    package static func part(in data: Data) -> Recording? {
        let lines = Gzip.decompress(data, limit: textLimit).split(separator: UInt8(ascii: "\n"))
        guard let head = lines.first, head.first == UInt8(ascii: "H"),
            var part = try? ModelCoding.decode(Recording.self, from: Data(head.dropFirst()))
        else { return nil }
        part.frames = []
        part.taps = []
        for line in lines.dropFirst().prefix(RecordingLimits.frames + RecordingLimits.taps + 8000) {
            guard add(Data(line), to: &part) else { break }
        }
        let last = max(part.duration, part.frames.last?.at ?? 0, part.taps.map(\.at).max() ?? 0)
        part.duration = min(max(0, last), RecordingLimits.duration)
        guard (try? RecordingReplay.check(part)) != nil else { return nil }
        return part
    }

    /// False for a line that is not whole, or none.
    private static func add(_ line: Data, to part: inout Recording) -> Bool {
        guard let letter = line.first, let text = Optional(Data(line.dropFirst())) else { return false }
        switch UnicodeScalar(letter) {
        case "F":
            guard part.frames.count < RecordingLimits.frames,
                let frame = try? ModelCoding.decode(RecordingFrame.self, from: text)
            else { return false }
            part.frames.append(frame)
        case "T":
            guard part.taps.count < RecordingLimits.taps,
                let tap = try? ModelCoding.decode(RecordingTap.self, from: text)
            else { return false }
            part.taps.append(tap)
        case "W":
            guard let count = try? ModelCoding.decode(Int.self, from: text), count >= 0 else { return false }
            part.withheldTaps = count
        case "E":
            guard let time = try? ModelCoding.decode(Int.self, from: text) else { return false }
            part.duration = max(part.duration, time)
        default: return false
        }
        return true
    }

    /// The parts of that name that have frames, in their order.
    package static func parts(named name: String, in folder: StorageFolder) -> [Recording] {
        paths(name, folder).compactMap { path in
            (try? DurableFile.read(path, limit: fileLimit)).flatMap { $0 }.flatMap { part(in: $0) }
        }
        .filter { !$0.frames.isEmpty }
        .sorted { $0.part < $1.part }
    }

    /// The same as an event takes them along.
    static func items(named name: String?, of event: String, in folder: StorageFolder) -> [BatchItem] {
        guard let name else { return [] }
        return parts(named: name, in: folder).compactMap { part in
            var part = part
            part.eventID = event
            return try? BatchItem(recording: part)
        }
    }

    package static func remove(named name: String?, in folder: StorageFolder) {
        guard let name else { return }
        for path in paths(name, folder) { unlink(path) }
    }

    /// Removes what runs left that nobody knows of.
    static func sweep(_ folder: StorageFolder) {
        for file in folder.names(in: folder.recordings) where file.hasSuffix(suffix) {
            let path = folder.recordings + "/" + file
            guard let descriptor = UnheldFile.open(path) else { continue }
            defer { close(descriptor) }
            if UnheldFile.isSettled(descriptor) { unlink(path) }
        }
    }

    /// None for what is no name of ours.
    static func paths(_ name: String, _ folder: StorageFolder) -> [String] {
        guard name.utf8.count == 32, name.utf8.allSatisfy({ ($0 | 0x20).isHexDigit }) else { return [] }
        return ["a", "b"].map { "\(folder.recordings)/\(name)-\($0)\(suffix)" }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
