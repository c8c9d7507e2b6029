// SPDX-License-Identifier: Apache-2.0
import JSONScan

/// Names whose values are secrets whatever they look like.
package struct SecretNames: Hashable, Sendable {
    private static let parts = [
        "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "accountkey", "privatekey",
        "authorization",
        "credential", "accesstoken", "authtoken", "refreshtoken", "idtoken", "sessiontoken", "apitoken", "bearertoken",
        "csrftoken", "connectionstring", "cookie",
    ]
    /// Those at the end of a name only.
    private static let ends = ["token", "pwd"]

    let parts: [ScanRules.Name]

    /// `own` are further names; case, `_`, `-`, `.` and spaces do not matter.
    package init(own: [String] = []) {
        parts =
            Self.parts.map { ScanRules.Name(bytes: Array($0.utf8)) }
            + Self.ends.map { ScanRules.Name(bytes: Array($0.utf8), isEnd: true) }
            + own.map { name in
                ScanRules.Name(
                    bytes: name.utf8.filter { !Self.separators.contains($0) }.map(Self.folded), isWhole: true)
            }
    }

    private static let separators = Array("_-. ".utf8)

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
