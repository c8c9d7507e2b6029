// SPDX-License-Identifier: Apache-2.0
import Glibc

enum Processors {
    /// Those that this process may use, at most eight: reading is bound by memory, not by processors.
    static var count: Int {
        min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
