// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension AnswerSchemas {
    static let network: [String: JSONValue] = [
        "/network": Shape.list("network", NetworkDocument.summarySchema), "/network/{id}": NetworkDocument.detailSchema,
        "/network-routes": Shape.list("routes", RouteTiming.schema),
        "/capabilities": Shape.list("capabilities", capabilityReport),
        "/diagnostics": Shape.list("diagnostics", diagnostic),
    ]

    static let capabilityReport = Shape.object([
        "install_id": Shape.orNull(Shape.text), "session": Shape.orNull(Shape.text), "timestamp": Shape.time,
        "release": Shape.orNull(Shape.text), "environment": Shape.orNull(Shape.text),
        "capabilities": Shape.array(capability),
    ])

    static let capability = Shape.object(
        [
            "id": Shape.text, "state": Shape.text, "faultEnforcement": Shape.text,
            "faultActions": Shape.array(Shape.text),
        ], optional: ["reason": Shape.text])

    static let diagnostic = Shape.object([
        "id": Shape.integer, "at": Shape.time, "level": Shape.text, "tag": Shape.text, "code": Shape.text,
        "install_id": Shape.orNull(Shape.text), "message": Shape.text,
    ])
}
