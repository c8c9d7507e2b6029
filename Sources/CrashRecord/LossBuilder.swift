// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import Glibc
import VakaModel

/// Everything that the handler could not capture, and everything that was damaged since.
struct LossBuilder {
    let file: CrashRecordFile
    let contents: RecordContents

    func losses() -> [Loss] {
        var losses = contents.losses.map(loss)
        losses += file.damage.map { Loss(what: "part of the crash record", why: $0.description) }
        losses += contents.malformed.map {
            Loss(
                what: "section \"\($0.name ?? "kind \($0.kind)")\" of the crash record",
                why: "what it says at offset \($0.offset) does not fit its length")
        }
        if !file.isComplete {
            losses.append(
                Loss(
                    what: "the end of the crash record",
                    why: "the handler did not come to write it, or the file was cut"))
        }
        for text in contents.texts where text.head.flags & UInt32(VAKA_TEXT_CUT) != 0 {
            losses.append(
                Loss(what: "the end of the message", why: "only its first \(text.text.utf8.count) bytes are kept"))
        }
        return losses + leftOut + runLosses
    }

    /// What was not to be kept.
    private var leftOut: [Loss] {
        var losses: [Loss] = []
        if let flags = contents.reason?.flags, flags & VAKA_REASON_LEFT_OUT.rawValue != 0 {
            losses.append(Loss(what: "the fault address", why: "it leads to no memory, and \(Self.mayBeText)"))
        }
        if contents.keepsPointersOnly {
            losses.append(Loss(what: "registers and words of stacks that are no pointers", why: Self.mayBeText))
        }
        return losses
    }

    private static let mayBeText = "may be part of a text, which the program leaves out"

    private var runLosses: [Loss] {
        var losses: [Loss] = []
        if let torn = contents.breadcrumbs?.torn, torn > 0 {
            losses.append(Loss(what: counted(torn, "breadcrumb"), why: "they were being written at the crash"))
        }
        if let torn = contents.exchanges?.torn, torn > 0 {
            losses.append(Loss(what: counted(torn, "network exchange"), why: "they were being written at the crash"))
        }
        if let dropped = contents.run?.breadcrumbs_dropped, dropped > 0 {
            losses.append(Loss(what: counted(dropped, "breadcrumb"), why: "they could not be kept"))
        }
        if let dropped = contents.context?.dropped, dropped > 0 {
            losses.append(
                Loss(what: counted(dropped, "value") + " of the run's context", why: "they did not fit its 32 KiB"))
        }
        return losses
    }

    private func loss(_ loss: vaka_loss) -> Loss {
        let address = loss.value == VAKA_LEFT_OUT ? "an address that was left out" : "\(HexAddress(loss.value))"
        switch vaka_loss_kind(rawValue: loss.kind) {
        case VAKA_LOSS_STACK_UNREADABLE:
            return Loss(what: "the stack's memory", why: "\(address) could not be read")
        case VAKA_LOSS_IMAGES_LIMIT:
            return Loss(what: counted(loss.value, "debug image"), why: "more were loaded than the record has room for")
        case VAKA_LOSS_LINK_MAP:
            return Loss(
                what: "libraries loaded after the start", why: "the loader's list could not be read at \(address)")
        case VAKA_LOSS_SPACE:
            return Loss(what: section(loss.argument), why: "\(loss.value) bytes did not fit the record")
        case VAKA_LOSS_WRITE:
            return Loss(what: section(loss.argument), why: "it could not be written: \(error(loss.value))")
        case VAKA_LOSS_RUN_FILE:
            return Loss(
                what: "the run file",
                why: "it could not be allocated (\(error(loss.value))): memory was used in its place")
        case VAKA_LOSS_READER:
            return Loss(
                what: "fast reads of memory",
                why: "process_vm_readv was refused (\(error(loss.value))): a pipe was used")
        case VAKA_LOSS_THREADS_LIMIT:
            return Loss(what: counted(loss.value, "thread"), why: "more ran than the record has room for")
        case VAKA_LOSS_HANDLER_CRASHED:
            return Loss(
                what: "what follows stage \(loss.argument)", why: "the handler itself crashed there, at \(address)")
        case VAKA_LOSS_RECORD_FILE:
            return Loss(what: "the record's allocated file", why: "it could not be made at start: \(error(loss.value))")
        case VAKA_LOSS_PROC:
            return Loss(what: "what /proc tells", why: "it could not be read: \(error(loss.value))")
        case VAKA_LOSS_TIME:
            return Loss(
                what: "what stage \(loss.argument) captures",
                why: "the handler had already run for \(loss.value / 1_000_000) ms")
        case VAKA_LOSS_THREADS_SILENT:
            return Loss(
                what: "registers of " + counted(loss.value, "thread"),
                why: "they did not answer the signal: what /proc tells was kept")
        case VAKA_LOSS_HANDLER_HUNG:
            return Loss(
                what: "what follows in stage \(loss.argument)",
                why: "the handler hung there: it went on after \(loss.value / 1_000_000) ms")
        case VAKA_LOSS_CORE_CONTEXT, VAKA_LOSS_CORE_CUT, VAKA_LOSS_CORE_SPOOL, VAKA_LOSS_IMAGE_FILES,
            VAKA_LOSS_ANALYSIS:
            return CoreLoss(loss).loss()
        default:
            return Loss(what: "something", why: "loss \(loss.kind) of a later format (\(loss.argument), \(loss.value))")
        }
    }

    private func counted(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private func section(_ kind: UInt32) -> String {
        "section \"\(RecordSection.names[Int(kind)] ?? "kind \(kind)")\""
    }

    private func error(_ number: UInt64) -> String {
        String(cString: strerror(Int32(truncatingIfNeeded: number)))
    }
}
