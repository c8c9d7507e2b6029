// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// `make tsan` leaves it out.
    static func notUnderThreadSanitizer(_ why: Comment) -> Self {
        .disabled(if: getenv("VAKA_TSAN") != nil, why)
    }
}
