// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import VakaModel

/// A part of a recording as it is sent, and the file of a run's last moments: as it is, and as lines that are compressed first.
enum RecordingInput {
    static func run(_ bytes: [UInt8]) {
        let data = Data(bytes)
        if let recording = try? ModelCoding.decode(Recording.self, from: data) { check(recording) }
        if let part = LastMoments.part(in: data) { mustBeSound(part) }
        guard let lines = try? Gzip.compress(data) else { preconditionFailure("cannot be compressed") }
        precondition(Gzip.decompress(lines, limit: data.count + 1) == data, "compressed to something else")
        if let part = LastMoments.part(in: lines) { mustBeSound(part) }
    }

    private static func check(_ recording: Recording) {
        guard let written = try? ModelCoding.encode(recording) else { preconditionFailure("cannot be written") }
        precondition((try? ModelCoding.decode(Recording.self, from: written)) == recording, "read as something else")
        guard var replay = try? RecordingReplay(recording) else { return }
        do {
            var count = 0
            while let picture = try replay.next() {
                count += 1
                precondition(picture.drawings.count <= RecordingLimits.drawings, "more elements than may be")
            }
            precondition(count == recording.frames.count, "frames were passed over")
        } catch {
            precondition(!error.description.isEmpty && !error.code.isEmpty, "a fault says nothing")
        }
    }

    private static func mustBeSound(_ part: Recording) {
        precondition((try? RecordingReplay.check(part)) != nil, "what a file gave cannot be shown")
    }
}
