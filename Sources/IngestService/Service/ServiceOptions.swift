// SPDX-License-Identifier: Apache-2.0

/// What the command line says.
package struct ServiceOptions: Sendable {
    package var dataFolder = ""
    package var listen = "127.0.0.1:8300"
    /// How people reach the service, where that differs from where it listens.
    package var publicURL: String?
    /// Also look for images among this machine's own files.
    package var useSystem = true
    package var workers = 1
    package var limits = ServiceLimits()

    package init() {}
}
