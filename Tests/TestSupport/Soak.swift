// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whether loops and outages last as long as they are promised for (VAKA_SOAK=1), or as a test of every day may take.
package enum Soak {
    package static let isOn = getenv("VAKA_SOAK") != nil

    /// What has to be away for some time is so, for a minute.
    package static func stayAway() {
        if isOn { sleep(60) }
    }
}
