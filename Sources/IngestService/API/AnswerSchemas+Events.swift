// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension AnswerSchemas {
    static let eventSummary = Shape.object([
        "event_id": Shape.text, "issue_id": Shape.integer, "type": Shape.text, "level": Shape.text,
        "timestamp": Shape.time, "received_at": Shape.time, "release": Shape.orNull(Shape.text),
        "environment": Shape.orNull(Shape.text), "title": Shape.text, "memory": Shape.text,
    ])

    /// The document of docs/protocol.md.
    static let event = Shape.object([
        "schema_version": Shape.integer, "event_id": Shape.text, "type": Shape.text, "timestamp": Shape.time,
        "level": Shape.text, "threads": Shape.array(Shape.anyObject), "errors": Shape.array(Shape.anyObject),
        "debug_images": Shape.array(Shape.anyObject), "breadcrumbs": Shape.array(Shape.anyObject),
        "tags": Shape.map(Shape.text), "contexts": Shape.anyObject,
        "loss": Shape.array(Shape.object(["what": Shape.text, "why": Shape.text])),
    ])

    static let machine = Shape.object([
        "thread": Shape.integer, "pointers_only": Shape.truth,
        "registers": Shape.array(
            Shape.object(["name": Shape.text, "value": Shape.text, "place": Shape.orNull(Shape.text)])),
        "instructions": Shape.array(
            Shape.object([
                "address": Shape.text, "bytes": Shape.text, "text": Shape.text, "current": Shape.truth,
                "function": Shape.orNull(Shape.text), "file": Shape.orNull(Shape.text),
                "line": Shape.orNull(Shape.integer), "target": Shape.orNull(Shape.text),
            ])),
        "instructions_from": Shape.orNull(Shape.words("memory", "image")),
        "why_no_instructions": Shape.orNull(Shape.text),
        "memory": Shape.array(
            Shape.object(["registers": Shape.array(Shape.text), "address": Shape.text, "bytes": Shape.text])),
        "why_no_memory": Shape.orNull(Shape.text),
    ])

    static let attachment = Shape.object([
        "number": Shape.integer, "name": Shape.text, "content_type": Shape.orNull(Shape.text), "size": Shape.integer,
        "offset": Shape.integer, "kept": Shape.integer, "missing": Shape.orNull(Shape.text),
    ])

    static let storedRecording = Shape.object([
        "id": Shape.integer, "recording_id": Shape.text, "part": Shape.integer, "event_id": Shape.orNull(Shape.text),
        "session_id": Shape.orNull(Shape.text), "release": Shape.orNull(Shape.text), "started": Shape.time,
        "duration_ms": Shape.integer, "frames": Shape.integer,
    ])

    static let recording = Shape.object([
        "schema_version": Shape.integer, "recording_id": Shape.text, "part": Shape.integer, "started": Shape.time,
        "duration_ms": Shape.integer, "privacy": Shape.text, "quality": Shape.text, "withheld_taps": Shape.integer,
        "frames": Shape.array(
            Shape.object([
                "at": Shape.integer, "width": Shape.integer, "height": Shape.integer,
                "changes": Shape.array(
                    Shape.object(["index": Shape.integer, "removed": Shape.integer, "drawings": Shape.anyArray])),
            ])),
        "taps": Shape.array(Shape.object(["at": Shape.integer, "x": Shape.integer, "y": Shape.integer])),
    ])

    static let missingImage = Shape.object([
        "build_id": Shape.orNull(Shape.text), "code_file": Shape.orNull(Shape.text), "frames": Shape.integer,
        "supplier": Shape.words("you", "distribution", "nobody"), "reason": Shape.text,
        "command": Shape.orNull(Shape.text),
    ])
}
