// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Whether a stack that is used up leaves a record: the handler needs another one.
enum OverflowCheck {
    /// `trial` nil: the child could not be started.
    static func finding(_ key: Finding.Key, of place: String, _ trial: Trial?) -> Finding {
        let event = trial?.record?.event()
        if let event, event.reason?.kind == .stackOverflow {
            return Finding(key, .ok, "a stack overflow of \(place) leaves a record, and is known as one")
        }
        if event != nil {
            return Finding(
                key, .degraded, "a stack overflow of \(place) leaves a record, but is not known as one",
                costs: "its reason is a bad access like any other")
        }
        let how = trial.map { " (\($0.run.words))" } ?? ""
        return Finding(
            key, .missing, "a stack overflow of \(place) leaves no record\(how)",
            costs: "endless recursion is told by the signal alone",
            mend: "unset VAKA_NO_THREAD_STACKS; under the sanitizers threads have no alternate stack")
    }
}
