// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The names of signals and their codes (signal(7), sigaction(2)), and the Mach-style exception of each.
package enum SignalNames {
    private static let signals: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]

    /// Codes that mean the same with every signal.
    private static let commonCodes: [Int32: String] = [
        0: "SI_USER", -1: "SI_QUEUE", -2: "SI_TIMER", -3: "SI_MESGQ", -4: "SI_ASYNCIO", -5: "SI_SIGIO",
        -6: "SI_TKILL", 0x80: "SI_KERNEL",
    ]

    /// Each signal's own codes, from 1.
    private static let codes: [Int32: [String]] = [
        SIGSEGV: [
            "SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR", "SEGV_ACCADI", "SEGV_ADIDERR",
            "SEGV_ADIPERR", "SEGV_MTEAERR", "SEGV_MTESERR", "SEGV_CPERR",
        ],
        SIGBUS: ["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"],
        SIGILL: [
            "ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG", "ILL_COPROC",
            "ILL_BADSTK",
        ],
        SIGFPE: [
            "FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV",
            "FPE_FLTSUB",
        ],
        SIGTRAP: ["TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT"],
        SIGSYS: ["SYS_SECCOMP", "SYS_USER_DISPATCH"],
    ]

    package static func signal(_ number: Int32) -> String? { signals[number] }

    static func code(_ code: Int32, signal: Int32) -> String? {
        if let common = commonCodes[code] { return common }
        guard let own = codes[signal], code >= 1, Int(code) <= own.count else { return nil }
        return own[Int(code) - 1]
    }

    /// The number of a code's name; nil where it is none of that signal.
    static func number(ofCode name: String, signal: Int32) -> Int32? {
        if let common = commonCodes.first(where: { $0.value == name }) { return common.key }
        return codes[signal]?.firstIndex(of: name).map { Int32($0) + 1 }
    }

    /// By meaning: a trap of the Swift runtime is a breakpoint whatever instruction raised it, and a signal that somebody
    /// sent is no fault of the code that it met. `code` nil where it is not known.
    package static func exception(signal: Int32, code: Int32?, isSwiftTrap: Bool) -> String? {
        if let code, code <= 0, codes[signal] != nil { return "EXC_CRASH" }
        return switch signal {
        case SIGSEGV, SIGBUS: "EXC_BAD_ACCESS"
        case SIGTRAP: "EXC_BREAKPOINT"
        case SIGILL: isSwiftTrap ? "EXC_BREAKPOINT" : "EXC_BAD_INSTRUCTION"
        case SIGFPE: "EXC_ARITHMETIC"
        case SIGABRT, SIGSYS: "EXC_CRASH"
        default: nil
        }
    }
}
