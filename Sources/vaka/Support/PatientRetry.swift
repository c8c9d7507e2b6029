// SPDX-License-Identifier: Apache-2.0
import ServiceClient

/// Tries for a minute, and says what it waits for.
enum PatientRetry {
    static var policy: RetryPolicy {
        var policy = RetryPolicy()
        policy.onWait = { problem, duration in
            let seconds = max(1, Int(duration / .seconds(1)))
            Terminal.complain("\(problem); trying again in \(seconds) s\n")
        }
        return policy
    }
}
