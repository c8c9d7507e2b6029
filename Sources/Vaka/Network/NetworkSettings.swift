// SPDX-License-Identifier: Apache-2.0

/// What the options and the project want of network capture, at one moment.
package struct NetworkSettings: Hashable, Sendable {
    /// Whether `Options.networkCapture` was on at the start.
    package var isInitialized: Bool
    /// Whether exchanges are recorded: the project's switch.
    package var captures = true
    /// Whether exchanges are measured, too.
    package var measures = false
    /// Whether bodies are kept, in debug builds, also where the program does not ask for it.
    package var capturesBodies = false
    /// Whose exchanges are measured; every host's where there are none. `*.example.com` stands for every host below it.
    package var hosts: [String] = []
    /// Whose are not.
    package var leftOutHosts: [String] = []
    /// Whether user, password, query and fragment stay in addresses.
    package var keepsWholeURLs = false
    /// Where the SDK sends its own data, as `host:port` or `host`.
    package var ownHost: String?

    package init(isInitialized: Bool) {
        self.isInitialized = isInitialized
    }

    /// An error's text as records have it.
    package func told(_ error: String) -> String { keepsWholeURLs ? error : AddressText.shortened(error) }
}
