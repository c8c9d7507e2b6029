// SPDX-License-Identifier: Apache-2.0
import CSodium
import FoundationEssentials
import VakaModel

/// How a receiver knows that a webhook is ours and new: HMAC-SHA-256, keyed with the target's secret, over the time, a dot and
/// the body.
enum WebhookSignature {
    static func headers(of body: Data, secret: String, id: String, now: Timestamp = .now) -> [String] {
        let time = "\(now.milliseconds / 1000)"
        return [
            "X-Vaka-Alert-Id: \(id)", "X-Vaka-Timestamp: \(time)",
            "X-Vaka-Signature: v1=\(hex(mac(Array("\(time).".utf8) + body, key: Array(secret.utf8))))",
        ]
    }

    static func mac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha256_state()
        var result = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &result)
        return result
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
