// SPDX-License-Identifier: Apache-2.0

extension String {
    /// With U+FFFD for whatever a terminal would obey: control characters and those that turn the direction of text.
    package func printable(keepingLines: Bool = false) -> String {
        func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            if keepingLines, scalar == "\n" { return false }
            return scalar.properties.generalCategory == .control || (0x202a...0x202e).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
        }
        guard unicodeScalars.contains(where: isObeyed) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isObeyed($0) ? "\u{fffd}" : $0 }))
    }
}
