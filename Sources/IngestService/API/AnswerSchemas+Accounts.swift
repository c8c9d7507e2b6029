// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Users, their parts, keys and tokens, and what was done.
extension AnswerSchemas {
    private static let credentialFields: [String: JSONValue] = [
        "id": Shape.integer, "prefix": Shape.text, "name": Shape.orNull(Shape.text), "scopes": Shape.array(Shape.text),
        "created_at": Shape.time, "expires_at": Shape.orNull(Shape.time), "revoked_at": Shape.orNull(Shape.time),
    ]

    static let credential = Shape.object(credentialFields)
    static let madeCredential = Shape.object(
        credentialFields.merging(["secret": Shape.text]) { first, _ in first })
    static let member = Shape.object(["user": Shape.text, "role": Shape.words("admin", "member", "read-only")])
    static let user = Shape.object([
        "name": Shape.text, "server_admin": Shape.truth, "disabled": Shape.truth, "created_at": Shape.time,
    ])
    static let auditEntry = Shape.object([
        "id": Shape.integer, "at": Shape.time, "actor": Shape.text, "action": Shape.text,
        "target": Shape.orNull(Shape.text), "project": Shape.orNull(Shape.text), "address": Shape.orNull(Shape.text),
    ])
}
