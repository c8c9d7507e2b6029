// SPDX-License-Identifier: Apache-2.0
import CDoctor
import CVakaRecord
import CrashRecord
import Glibc
import VakaModel

/// What the record of a child that crashed tells: is there one, are its frames and threads all there, how was memory read.
struct CaptureCheck {
    /// Under the library, and as the program would be without it.
    let trial: Trial
    let event: Event?

    init(_ trial: Trial) {
        self.trial = trial
        event = trial.record?.event()
    }

    var isCaught: Bool { event != nil }

    func findings() -> [Finding] {
        guard let event else { return [capture(), ending()] }
        return [capture(), frames(event), threads(event), ending(), reader(), proc()]
    }

    private func capture() -> Finding {
        if isCaught {
            return Finding(.capture, .ok, "a program that knows nothing of Vaka crashed and left a whole record")
        }
        let says =
            trial.records.isEmpty
            ? "a program crashed and left no record (\(trial.run.words))"
            : "a program crashed and left a record that is not whole"
        return Finding(
            .capture, .missing, says, costs: "crashes here are lost",
            mend: "the lines below may say why; VAKA_DEBUG=1 in a program's environment tells what could not be set up")
    }

    private func frames(_ event: Event) -> Finding {
        let thread = event.crashedThread
        let frames = thread?.frames ?? []
        let measured: [String: JSONValue] = ["frames": .integer(Int64(frames.count))]
        if thread?.framesTruncated == false, areRight(frames, event) {
            return Finding(
                .frames, .ok, "\(frames.count) frames, the right ones, to the stack's end", measured: measured)
        }
        return Finding(
            .frames, .degraded, "the \(frames.count) frames that were found are not the whole stack",
            costs: "stacks are cut, unless the program's files are at hand when the record is read",
            mend: "is this a system whose libraries have no .eh_frame? vaka check FILE tells", measured: measured)
    }

    /// The innermost ones are in functions that this very program has.
    private func areRight(_ frames: [Frame], _ event: Event) -> Bool {
        guard let image = event.debugImages.first else { return false }
        var index = 0
        while vaka_doctor_function(index) != 0 {
            guard index < frames.count else { return false }
            let relative = frames[index].instructionAddress.rawValue &- image.imageAddress.rawValue
            guard relative &- vaka_doctor_function(index) < UInt64(VAKA_DOCTOR_FUNCTION_BYTES) else { return false }
            index += 1
        }
        return index > 0
    }

    private func threads(_ event: Event) -> Finding {
        let others = event.threads.filter { !$0.crashed }
        let whole = others.filter { !$0.registers.isEmpty && !$0.frames.isEmpty }
        let named = others.filter { $0.name == VAKA_DOCTOR_THREAD_NAME }
        let measured: [String: JSONValue] = ["threads": .integer(Int64(event.threads.count))]
        guard whole.count >= Int(VAKA_DOCTOR_THREADS) else {
            return Finding(
                .threads, .degraded, "of \(VAKA_DOCTOR_THREADS) other threads \(whole.count) are in the record",
                costs: "what other threads did is not known", mend: "mount /proc for the program", measured: measured)
        }
        guard named.count >= Int(VAKA_DOCTOR_THREADS) else {
            return Finding(
                .threads, .degraded, "other threads are in the record, but without their names",
                costs: "threads have numbers only", mend: "mount /proc for the program", measured: measured)
        }
        return Finding(
            .threads, .ok, "all \(event.threads.count) threads, with names, registers and frames", measured: measured)
    }

    private func ending() -> Finding {
        if trial.run.signal == SIGSEGV {
            return Finding(.ending, .ok, "it ended by its own signal, as without Vaka")
        }
        return Finding(
            .ending, .degraded, "it ended otherwise than by its own signal (\(trial.run.words))",
            costs: "a supervisor sees another end than without Vaka",
            mend: "see first_process and calls; report it where neither explains it")
    }

    private func reader() -> Finding {
        let kind = trial.value(VAKA_SECTION_REASON, vaka_reason.self)?.reader ?? VAKA_READER_NONE.rawValue
        switch vaka_reader_kind(rawValue: kind) {
        case VAKA_READER_PROCESS_VM:
            return Finding(.reader, .ok, "process_vm_readv is allowed", measured: ["reader": "process_vm_readv"])
        case VAKA_READER_PIPE:
            let code = trial.loss(VAKA_LOSS_READER).map { Int32(truncatingIfNeeded: $0.value) }
            let why = code.map { " (\($0.errorText))" } ?? ""
            return Finding(
                .reader, .degraded, "process_vm_readv is refused\(why): doubtful memory is read through a pipe",
                costs: "two system calls a read in place of one: some microseconds a frame",
                mend: "allow process_vm_readv in the container's seccomp profile, if that matters",
                measured: ["reader": "pipe"])
        default:
            return Finding(
                .reader, .missing, "there is no way to read doubtful memory safely",
                costs: "stacks and messages are not captured", measured: ["reader": .null])
        }
    }

    private func proc() -> Finding {
        if let loss = trial.loss(VAKA_LOSS_PROC) {
            let why = Int32(truncatingIfNeeded: loss.value).errorText
            return Finding(
                .proc, .degraded, "/proc cannot be read: \(why)",
                costs: "what other threads did, the sender of a signal and the program's path are not known",
                mend: "mount /proc for the program")
        }
        return Finding(.proc, .ok, "/proc tells of threads and mappings")
    }
}

extension ChildRun {
    /// How it ended, for a person.
    var words: String {
        if wasEnded { return "it hung and was ended" }
        if let signal { return "ended by \(SignalNames.signal(signal) ?? "signal \(signal)")" }
        return "exit status \(exitStatus ?? 0)"
    }
}
