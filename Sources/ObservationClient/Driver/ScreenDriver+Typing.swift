// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ScreenDriver {
    /// Types into the node that is meant, or without a selector where the focus is. A result for each command.
    ///
    /// The fallback taps the field first, where there is one, so that it finds the field focused when it has to stand in.
    /// - Throws: what the first command that fails throws; those before it are done.
    public func sendKeys(
        _ commands: [TypingCommand], into selector: ScreenSelector? = nil
    ) throws(DriverError) -> [DriverResult] {
        var typing = Typing(driver: self)
        if let selector { try typing.focus(try find(selector, in: try observe())) }
        var results: [DriverResult] = []
        for command in commands { results.append(try typing.run(command)) }
        return results
    }
}
