// SPDX-License-Identifier: Apache-2.0
import EventText
@preconcurrency import Glibc

/// Standard error, for talk, and what the terminal can show.
enum Terminal {
    // Changed by a child before it does anything else, while it has one thread.
    nonisolated(unsafe) private static var talk = stderr

    static func complain(_ text: String) {
        fputs(text, talk)
    }

    static let errorIsTerminal = isatty(2) == 1

    /// Keeps standard error for this command's own words: what a library or the runtime says there is lost.
    static func silenceOthers() {
        _ = errorIsTerminal
        let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0, let stream = fdopen(descriptor, "w") else { return }
        setvbuf(stream, nil, _IONBF, 0)
        talk = stream
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(null, 2)
        close(null)
    }

    /// Colour on a terminal only, and never with NO_COLOR.
    static let usesColour = isatty(1) == 1 && getenv("NO_COLOR") == nil

    static let style: TextStyle = usesColour ? .terminal : .plain

    static func bold(_ text: String) -> String { style.bold(text) }
    static func dim(_ text: String) -> String { style.dim(text) }
    static func red(_ text: String) -> String { style.red(text) }
}
