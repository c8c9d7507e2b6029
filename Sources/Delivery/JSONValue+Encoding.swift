// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension JSONValue {
    /// The value's document.
    package init(encoding value: some Encodable) throws {
        self = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(value))
    }
}
