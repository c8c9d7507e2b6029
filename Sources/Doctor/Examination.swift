// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import VakaModel

/// Finds out what a machine or container lets a capture do, by crashing children of its own and reading their records.
package struct Examination {
    private static let repetitions = 5

    private let setup: DoctorSetup

    package init(_ setup: DoctorSetup) { self.setup = setup }

    /// Takes a second or two. Leaves nothing behind.
    package func diagnosis() -> Diagnosis {
        let temporary = setup.environment["TMPDIR"] ?? "/tmp"
        let storage = StorageCheck(path: setup.storage ?? temporary, isSubstitute: setup.storage == nil)
        let named = TrialFolder(in: storage.path)
        let error = named == nil ? errno : nil
        // Where nothing can be kept, the rest can be tried all the same.
        let folder = named ?? TrialFolder(in: temporary)
        var findings = [storage.finding(error: error), library()]
        findings += MachineCheck(cgroupRoot: setup.cgroupRoot).findings()
        findings.append(
            CallsCheck(trial: folder.flatMap { Trial(.calls, setup, in: $0.next(), preloads: false) }).finding())
        guard setup.library != nil, let folder, let first = Trial(.fault, setup, in: folder.next()) else {
            return Diagnosis(captures: false, findings: findings)
        }
        let capture = CaptureCheck(first)
        findings += capture.findings()
        if capture.isCaught { findings += further(first, folder) }
        let needed = max(first.record?.header?.allocated_bytes ?? 0, TimeCheck.recordBytes)
        findings.append(StorageCheck.fileSize(isCaught: capture.isCaught, needed: needed))
        return Diagnosis(captures: capture.isCaught && named != nil, findings: findings)
    }

    private func library() -> Finding {
        if let library = setup.library {
            return Finding(.library, .ok, "\(library) is there", measured: ["path": .string(library)])
        }
        return Finding(
            .library, .missing, "libvakacrash.so is not beside vaka, nor in ../lib of it",
            costs: "programs that do not link it cannot be caught",
            mend: "make install puts it there, or name it with --library")
    }

    private func further(_ first: Trial, _ folder: TrialFolder) -> [Finding] {
        let more = (1..<Self.repetitions).compactMap { _ in Trial(.fault, setup, in: folder.next()) }
        let trials = [first] + more
        let without = Trial(.fault, setup, in: folder.next(), preloads: false)
        let asIs = Trial(.fault, setup, in: folder.next(), backtracer: nil)
        return TimeCheck(trials: trials, without: without).findings() + [
            OverflowCheck.finding(.overflow, of: "the main thread", Trial(.overflow, setup, in: folder.next())),
            OverflowCheck.finding(
                .threadOverflow, of: "another thread", Trial(.threadOverflow, setup, in: folder.next())),
            BacktracerCheck(off: trials, asIs: asIs, variable: setup.environment["SWIFT_BACKTRACE"]).finding(),
        ]
    }
}
