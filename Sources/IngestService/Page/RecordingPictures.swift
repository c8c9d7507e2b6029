// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The last frames of parts of a recording. However many there are, and however much they show: no more is kept at a time than
/// is asked for, beside what one frame has.
struct RecordingPictures {
    struct Shown {
        var at: Timestamp
        var picture: RecordingReplay.Picture
        var taps: [RecordingTap] = []
    }

    private let most: Int
    private let mostDrawings: Int
    /// In the order of their times.
    private(set) var shown: [Shown] = []
    /// The frames of all parts that could be read.
    private(set) var all = 0

    init(most: Int, mostDrawings: Int) {
        self.most = most
        self.mostDrawings = mostDrawings
    }

    /// Nothing is taken of a part that cannot be read to its end.
    mutating func add(_ part: Recording) throws(RecordingFault) {
        var replay = try RecordingReplay(part)
        var own: [Shown] = []
        var number = 0
        while let picture = try replay.next() {
            number += 1
            guard part.frames.count - number < most else { continue }
            let at = Timestamp(milliseconds: part.started.milliseconds + Int64(picture.frame.at))
            own.append(Shown(at: at, picture: picture))
            cut(&own)
        }
        for tap in part.taps {
            if let index = own.lastIndex(where: { $0.picture.frame.at <= tap.at }) { own[index].taps.append(tap) }
        }
        all += number
        shown = (shown + own).sorted { $0.at < $1.at }
        cut(&shown)
    }

    /// A part from a frame on, with at least one frame, and where it goes on; nothing where the part cannot be read to its end.
    static func page(
        of part: Recording, from first: Int, most: Int, mostDrawings: Int
    ) throws(RecordingFault) -> (shown: [Shown], next: Int?) {
        var replay = try RecordingReplay(part)
        var shown: [Shown] = []
        var next: Int?
        var number = 0
        var left = mostDrawings
        while let picture = try replay.next() {
            defer { number += 1 }
            guard number >= first, next == nil else { continue }
            left -= picture.drawings.count
            guard shown.isEmpty || (shown.count < most && left >= 0) else {
                next = number
                continue
            }
            let at = Timestamp(milliseconds: part.started.milliseconds + Int64(picture.frame.at))
            shown.append(Shown(at: at, picture: picture))
        }
        let end = next.map { part.frames[$0].at } ?? .max
        for tap in part.taps where tap.at < end {
            if let index = shown.lastIndex(where: { $0.picture.frame.at <= tap.at }) { shown[index].taps.append(tap) }
        }
        return (shown, next)
    }

    /// The last one stays, whatever it has.
    private func cut(_ pictures: inout [Shown]) {
        var left = mostDrawings
        var kept = 0
        for picture in pictures.suffix(most).reversed() {
            left -= picture.picture.drawings.count
            guard left >= 0 || kept == 0 else { break }
            kept += 1
        }
        pictures.removeFirst(pictures.count - kept)
    }
}
