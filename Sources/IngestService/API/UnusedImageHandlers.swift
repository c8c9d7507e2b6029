// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Uploaded images that no stored event needs.
enum UnusedImageHandlers {
    private static let mostDays = 36_500

    private struct Removed: Encodable {
        /// Build ids that the project has nothing of any more.
        var removed: Int
        /// Bytes of files that were removed, for no other project has them.
        var bytes: UInt64
    }

    /// The time before which images came that `unused_days` speaks of; nil where it is not asked for.
    static func time(_ request: HTTPRequest) throws(APIError) -> Timestamp? {
        guard let text = request.query["unused_days"] else { return nil }
        guard let days = Int(text), (0...mostDays).contains(days) else {
            throw APIError(400, "invalid_days", "\"unused_days\" takes a number of days up to \(mostDays)")
        }
        return Timestamp(milliseconds: Timestamp.now.milliseconds - Int64(days) * CountUnit.day.milliseconds)
    }

    /// `POST …/artifacts/remove-unused?unused_days=N`
    static func remove(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        guard let time = try time(request) else {
            throw APIError(
                400, "invalid_days", "say with \"unused_days\" for how many days at least an image must have been there"
            )
        }
        let project = try request.requireProject().id
        var answer = Removed(removed: 0, bytes: 0)
        while let round = try service.unusedImages.remove(before: time, project: project) {
            answer.removed += round.images
            answer.bytes += round.bytes
        }
        return try .json(answer)
    }
}
