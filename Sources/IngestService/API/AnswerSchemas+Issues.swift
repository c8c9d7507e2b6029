// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension AnswerSchemas {
    static let issue = Shape.object([
        "id": Shape.integer, "title": Shape.text, "culprit": Shape.orNull(Shape.text), "type": Shape.text,
        "level": Shape.text, "status": Shape.words("open", "resolved", "regressed", "muted"),
        "status_changed_at": Shape.orNull(Shape.time), "status_changed_by": Shape.orNull(Shape.text),
        "resolved_in": Shape.orNull(Shape.text), "resolved_after": Shape.orNull(Shape.text),
        "muted_until": Shape.orNull(Shape.time), "mute_events": Shape.orNull(Shape.integer),
        "mute_window_s": Shape.orNull(Shape.integer), "assignee": Shape.orNull(Shape.text), "first_seen": Shape.time,
        "last_seen": Shape.time, "events": Shape.integer, "events_kept": Shape.integer,
        "events_counted_only": Shape.integer, "users": Shape.integer,
        "releases": Shape.integer, "latest_event_id": Shape.orNull(Shape.text), "provisional": Shape.truth,
    ])

    static let moved = Shape.object(["move_id": Shape.integer, "issue": issue])

    static let history = Shape.object([
        "id": Shape.integer, "at": Shape.time, "by": Shape.text, "change": Shape.text, "text": Shape.orNull(Shape.text),
        "issue_id": Shape.integer, "other_issue_id": Shape.orNull(Shape.integer), "event_id": Shape.orNull(Shape.text),
    ])

    static let key = Shape.object([
        "version": Shape.integer, "kind": Shape.text, "value": Shape.text, "events": Shape.integer,
    ])

    static let move = Shape.object([
        "id": Shape.integer, "kind": Shape.words("merge", "split", "fold"), "from_issue_id": Shape.integer,
        "to_issue_id": Shape.integer, "at": Shape.time, "by": Shape.text, "undone_at": Shape.orNull(Shape.time),
    ])

    static let count = Shape.object(["start": Shape.time, "events": Shape.integer])

    static let affected = Shape.object([
        "value": Shape.text, "events": Shape.integer, "first_seen": Shape.time, "last_seen": Shape.time,
    ])

    static let health = Shape.object([
        "release": Shape.text, "day": Shape.text, "sessions": Shape.integer, "crashed_sessions": Shape.integer,
        "abnormal_sessions": Shape.integer, "crash_free_sessions": Shape.orNull(Shape.number), "users": Shape.integer,
        "crashed_users": Shape.integer, "crash_free_users": Shape.orNull(Shape.number),
    ])
}
