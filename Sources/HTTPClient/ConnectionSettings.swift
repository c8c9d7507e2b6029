// SPDX-License-Identifier: Apache-2.0

/// How a service is reached, where that is not as the system has it.
package struct ConnectionSettings: Hashable, Sendable {
    /// A URL; empty for none. Nil: as `http_proxy`, `https_proxy` and `no_proxy` say.
    package var proxy: String?
    /// A PEM file of the authorities to trust, in the place of the system's.
    package var caFile: String?

    package init(proxy: String? = nil, caFile: String? = nil) {
        self.proxy = proxy
        self.caFile = caFile
    }
}
