// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension AnswerSchemas {
    static let ingested = Shape.object([
        "accepted": Shape.integer, "directives": Shape.anyArray,
        "rejected": Shape.array(
            Shape.object(["index": Shape.integer, "code": Shape.text, "reason": Shape.text])),
    ])

    static let settings = Shape.object([
        "schema_version": Shape.integer, "version": Shape.text, "settings": Shape.anyObject,
        "accepts": Shape.array(Shape.text),
    ])

    static let release = Shape.object([
        "release": Shape.text, "events": Shape.integer, "crashes": Shape.integer, "sessions": Shape.integer,
        "crashed_sessions": Shape.integer, "requests": Shape.map(Shape.integer), "first_seen": Shape.orNull(Shape.time),
        "last_seen": Shape.orNull(Shape.time),
    ])

    static let installation = Shape.object([
        "install_id": Shape.text, "first_seen": Shape.time, "last_seen": Shape.time, "batches": Shape.integer,
        "duplicates": Shape.integer, "missing": Shape.integer, "latest_sequence": Shape.orNull(Shape.integer),
        "gaps": Shape.array(Shape.object(["first": Shape.integer, "last": Shape.integer])),
    ])

    static let artifact = Shape.object([
        "build_id": Shape.text, "kind": Shape.text, "has_code": Shape.truth, "has_debug_info": Shape.truth,
        "size": Shape.integer, "name": Shape.orNull(Shape.text), "release": Shape.orNull(Shape.text),
        "uploaded_at": Shape.time, "events": Shape.integer,
    ])

    static let uploaded = Shape.object([
        "build_id": Shape.text, "outcome": Shape.words("stored", "already_there", "poorer_than_stored"),
        "reason": Shape.orNull(Shape.text), "findings": Shape.array(Shape.anyObject),
    ])

    static let upload = Shape.object([
        "upload_id": Shape.text, "size": Shape.integer, "offset": Shape.integer, "part_bytes": Shape.integer,
        "result": Shape.orNull(uploaded),
    ])

    private static let rates = Shape.object([
        "project_items": Shape.orNull(Shape.integer), "key_items": Shape.orNull(Shape.integer),
        "issue_events": Shape.orNull(Shape.integer),
    ])

    private static let keep = Shape.object([
        "days": Shape.orNull(Shape.integer), "issue_events": Shape.orNull(Shape.integer),
        "events": Shape.orNull(Shape.integer),
    ])

    static let limits = Shape.object([
        "per_minute": rates, "own": rates, "keep": keep, "own_keep": keep,
        "kept": Shape.object(["events": Shape.integer, "of": Shape.integer]),
        "disk": Shape.object([
            "budget": Shape.orNull(Shape.integer), "used": Shape.integer, "exhausted": Shape.truth,
        ]),
        "turned_away": Shape.object(["since": Shape.time, "batches": Shape.integer, "items": Shape.integer]),
    ])

    static let alertTarget = Shape.object([
        "id": Shape.integer, "channel": Shape.words("webhook", "slack", "email"), "address": Shape.text,
        "kinds": Shape.array(Shape.text), "created_at": Shape.time,
    ])

    static let alert = Shape.object([
        "id": Shape.integer, "target_id": Shape.integer, "channel": Shape.words("webhook", "slack", "email"),
        "kind": Shape.text, "issue_id": Shape.orNull(Shape.integer), "title": Shape.text, "created_at": Shape.time,
        "state": Shape.words("waiting", "delivered", "given_up"), "attempts": Shape.integer,
        "next_at": Shape.orNull(Shape.time), "last_error": Shape.orNull(Shape.text),
    ])

    static let ready = Shape.object(
        [
            "status": Shape.text, "worker": Shape.text,
            "spool": Shape.object([
                "items": Shape.integer, "bytes": Shape.integer, "mending": Shape.integer, "lag_s": Shape.number,
            ]),
        ],
        optional: [
            "images": Shape.object([
                "status": Shape.words("here", "away"), "reason": Shape.orNull(Shape.text), "held": Shape.integer,
            ])
        ])
}
