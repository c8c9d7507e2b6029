// SPDX-License-Identifier: Apache-2.0

/// Told now and then how far the work is: what is done and all of it, in a unit that the work chooses.
package typealias Progress = (_ label: String, _ done: Int64, _ total: Int64) -> Void
