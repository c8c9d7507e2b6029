// SPDX-License-Identifier: Apache-2.0
import CDoctor

/// What the program does where it is a child of the doctor's.
package enum DoctorChild: String, Sendable {
    case fault
    case abort
    case overflow
    case threadOverflow
    case calls

    /// The variable of the environment that says so.
    package static let variable = "VAKA_DOCTOR_CHILD"
    /// Where it writes what its parent wants to know.
    static let answers: Int32 = 3

    /// Crashes, or tries the system calls.
    package func run() {
        switch self {
        case .fault: vaka_doctor_crash(VAKA_DOCTOR_FAULT, Self.answers)
        case .abort: vaka_doctor_crash(VAKA_DOCTOR_ABORT, Self.answers)
        case .overflow: vaka_doctor_crash(VAKA_DOCTOR_OVERFLOW, Self.answers)
        case .threadOverflow: vaka_doctor_crash(VAKA_DOCTOR_THREAD_OVERFLOW, Self.answers)
        case .calls: vaka_doctor_try_calls(Self.answers)
        }
    }
}
