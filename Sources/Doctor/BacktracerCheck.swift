// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The Swift runtime's own backtracer, which comes after Vaka's handler and may take seconds.
struct BacktracerCheck {
    /// It begins its report so.
    private static let mark = "Program crashed"

    /// With the backtracer off, and with what the environment says of it.
    let off: [Trial]
    let asIs: Trial?
    /// SWIFT_BACKTRACE as it is set.
    let variable: String?

    func finding() -> Finding {
        let times = off.compactMap(\.run.crashTime).sorted()
        let setting = variable.map { "SWIFT_BACKTRACE=\($0)" } ?? "SWIFT_BACKTRACE not set"
        guard let asIs, let time = asIs.run.crashTime, !times.isEmpty else {
            return Finding(.backtracer, .ok, "not measured; \(setting)")
        }
        let plain = times[times.count / 2]
        let measured: [String: JSONValue] = [
            "with_ms": .number(TimeCheck.milliseconds(time)), "without_ms": .number(TimeCheck.milliseconds(plain)),
            "setting": variable.map { .string($0) } ?? .null,
        ]
        guard asIs.errors.contains(Self.mark) else {
            return Finding(
                .backtracer, .ok, "it does not run in this program (\(setting))", measured: measured)
        }
        return Finding(
            .backtracer, .degraded,
            "it runs at each crash of this program: \(TimeCheck.milliseconds(time)) ms, "
                + "\(TimeCheck.milliseconds(plain)) ms without (\(setting))",
            costs: "a Swift program is gone that much later; an orchestrator's probe may be faster",
            mend: "set SWIFT_BACKTRACE=enable=no for programs whose crashes Vaka records", measured: measured)
    }
}
