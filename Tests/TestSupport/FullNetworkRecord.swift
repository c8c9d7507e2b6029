// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A network record of which every fact is known.
package enum FullNetworkRecord {
    package static func make() -> NetworkRequestEvent {
        var record = NetworkRequestEvent(
            timestamp: Timestamp(milliseconds: 1_767_225_600_123), url: "https://host.example:8443/a/b", method: "POST",
            requestID: "request-1")
        record.connectionID = "connection-1"
        record.direction = .receive
        record.protocolName = "https"
        record.metadata = ["phase": "failed", "fault_delay_ms": 12, "nested": ["a": [1, .null]], "é": "\u{1}"]
        record.sequenceNumber = 42
        record.requestHeaders = ["Authorization": "<redacted>", "Accept": "*/*"]
        record.requestBodySize = 70_000
        record.statusCode = 503
        record.responseHeaders = ["Retry-After": "1"]
        record.responseBodySize = 0
        record.durationMilliseconds = 12.5
        record.error = "timed out"
        record.host = "host.example"
        record.path = "/a/b"
        record.requestBody = "{\"a\": \"😀\"}"
        record.responseBody = ""
        record.contentType = "application/json"
        return record
    }
}
