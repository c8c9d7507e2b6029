// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// Leaves events as they came, until the symbolicator of the module Symbolication takes its place.
struct Symbolicator {
    init(finder: ImageFinder) {}
    func symbolicate(_ event: Event) -> Event { event }
}
