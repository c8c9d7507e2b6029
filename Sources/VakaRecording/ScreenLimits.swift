// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What is kept of a screen, by quality.
struct ScreenLimits {
    static let depth = 64
    /// Elements that are masked, or lie in such.
    static let masked = 10_000
    /// UTF-8 bytes of the texts of one screen.
    static let textBytes = 256 << 10

    var elements: Int
    /// UTF-8 bytes of a text, cut between characters.
    var text: Int
    /// Places and sizes are multiples of it, in points.
    var grid: Double

    init(_ quality: RecordingQuality) {
        (elements, text, grid) =
            switch quality {
            case .low: (500, 40, 8)
            case .high: (RecordingLimits.drawings, 1000, 1)
            default: (2000, 200, 1)
            }
    }

    func cut(_ whole: String) -> String {
        guard whole.utf8.count > text else { return whole }
        var kept = ""
        var count = 0
        for character in whole {
            count += character.utf8.count
            guard count <= text else { break }
            kept.append(character)
        }
        return kept
    }
}
