// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Secrets in events.
extension AnswerSchemas {
    private static let texts = Shape.array(Shape.text)

    static let scrubSettings = Shape.object([
        "settings": Shape.object([
            "off": texts, "on": texts, "names": texts, "user_fields": texts,
            "rules": Shape.array(Shape.object(["name": Shape.text, "pattern": Shape.text])),
        ]), "built_in": texts, "on_request": texts,
    ])
}
