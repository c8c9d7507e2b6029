// SPDX-License-Identifier: Apache-2.0

/// Is told what becomes of the SDK, on any thread and with no lock held.
package protocol NetworkObserver: AnyObject, Sendable {
    func started()
    func stopped()
    /// The service wants something else.
    func settingsChanged()
}
