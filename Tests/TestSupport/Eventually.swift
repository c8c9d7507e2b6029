// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Asks until `answer` has a value, at most for `seconds`; then throws, with what `saying` adds.
@discardableResult
package func eventually<Value>(
    seconds: Double = 60, saying: () -> String = { "" }, _ answer: () throws -> Value?
) throws -> Value {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        if let value = try answer() { return value }
        guard ContinuousClock.now < deadline else {
            throw ChildProcess.Failure(description: "nothing came of it in \(seconds) s \(saying())")
        }
        usleep(10_000)
    }
}
