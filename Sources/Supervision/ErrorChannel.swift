// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// What stands between the program's standard error and ours: a terminal of its own where ours is one, so that the
/// program colours its output as it would, else a pipe.
struct ErrorChannel {
    /// Ours, to read from.
    var reading: Int32
    /// The program's.
    var writing: Int32
    var isTerminal: Bool

    /// Nil where this process has no standard error; the program then has none either.
    static func open() throws(SupervisionError) -> ErrorChannel? {
        guard fcntl(2, F_GETFD) >= 0 else { return nil }
        if isatty(2) == 1, let terminal = terminal() { return terminal }
        var ends: [Int32] = [-1, -1]
        guard vaka_pipe(&ends) == 0 else {
            throw SupervisionError(
                description: "cannot supervise: \(String(cString: strerror(errno)))", exitStatus: 126)
        }
        return ErrorChannel(reading: ends[0], writing: ends[1], isTerminal: false)
    }

    /// As ours is set, but that it hands on each byte as it is: ours makes of a newline what it takes.
    private static func terminal() -> ErrorChannel? {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var settings = termios()
        guard tcgetattr(2, &settings) == 0, vaka_terminal(&master, &slave) == 0 else { return nil }
        settings.c_oflag &= ~tcflag_t(OPOST)
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(slave, TCSANOW, &settings)
        vaka_copy_window_size(2, master)
        return ErrorChannel(reading: master, writing: slave, isTerminal: true)
    }
}
