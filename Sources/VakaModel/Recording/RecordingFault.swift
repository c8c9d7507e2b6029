// SPDX-License-Identifier: Apache-2.0

/// Why a recording cannot be shown.
package enum RecordingFault: Error, Hashable, CustomStringConvertible {
    case newerSchema(Int)
    case badName(String)
    case tooManyFrames(Int)
    case tooManyTaps(Int)
    case tooManyDrawings(frame: Int)
    case tooMuch
    case textTooLong(frame: Int)
    case unknownKind(frame: Int)
    case outOfBounds(frame: Int)
    case outOfOrder(frame: Int)
    case changeDoesNotFit(frame: Int)

    /// A word for programs.
    package var code: String {
        switch self {
        case .newerSchema: "unsupported_schema_version"
        case .badName, .unknownKind, .outOfBounds, .outOfOrder, .changeDoesNotFit: "invalid_recording"
        case .tooManyFrames, .tooManyTaps, .tooManyDrawings, .tooMuch, .textTooLong: "recording_too_large"
        }
    }

    package var description: String {
        switch self {
        case .newerSchema(let version):
            "schema version \(version) of a recording is newer than \(Recording.schemaVersion), the newest known here"
        case .badName(let key): "\"\(key)\" must be 32 lowercase hexadecimal digits"
        case .tooManyFrames(let count):
            "the recording has \(count) frames; a part has at most \(RecordingLimits.frames)"
        case .tooManyTaps(let count): "the recording has \(count) taps; a part has at most \(RecordingLimits.taps)"
        case .tooManyDrawings(let frame):
            "frame \(frame) shows more than \(RecordingLimits.drawings) elements"
        case .tooMuch: "the frames together draw more than \(RecordingLimits.drawn) elements anew; send shorter parts"
        case .textTooLong(let frame):
            "frame \(frame) has a text of more than \(RecordingLimits.text) bytes"
        case .unknownKind(let frame): "frame \(frame) has an element of an unknown kind, or with unknown marks"
        case .outOfBounds(let frame):
            "frame \(frame) has a size or a place that is below 0 or beyond \(RecordingLimits.extent) points"
        case .outOfOrder(let frame): "frame \(frame) is earlier than the one before, or after the part's end"
        case .changeDoesNotFit(let frame): "frame \(frame) changes elements that are not there"
        }
    }
}

/// What a part of a recording holds at most.
package enum RecordingLimits {
    package static let frames = 240
    package static let taps = 1000
    /// In one frame.
    package static let drawings = 5000
    /// In the changes of all frames together.
    package static let drawn = 60_000
    /// Bytes of a text.
    package static let text = 2000
    /// Points of any place or size.
    package static let extent: Int32 = 1_000_000
    /// Milliseconds of a part.
    package static let duration = 3_600_000
    /// Bytes of a part's JSON.
    package static let bytes = 1 << 20
}
