// SPDX-License-Identifier: Apache-2.0

/// Limits that projects set for themselves, and the builds of programs whose first crash is never turned away.
package protocol LimitStore: Sendable {
    /// As they were set: nil is as the server's options say, 0 is no limit.
    func rateLimits(project: Int64) throws(StoreError) -> RateLimits
    func setRateLimits(_ limits: RateLimits, project: Int64) throws(StoreError)
    /// Events of issues that had their minute's worth: counted, and not stored.
    func countedOnly(project: Int64) throws(StoreError) -> Int64
    /// Keeps the event as the first crash of its build where none is kept; true when it is the one.
    func isFirstCrash(build: String, event: String, project: Int64) throws(StoreError) -> Bool
    /// The event that is kept as the first crash of a build; nil where none is. Changes nothing.
    func firstCrash(build: String, project: Int64) throws(StoreError) -> String?
}
