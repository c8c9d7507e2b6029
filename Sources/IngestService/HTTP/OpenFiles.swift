// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How many connections this process's limit of open files allows.
enum OpenFiles {
    /// Databases, uploads, images, workers' pipes.
    private static let others = 256

    /// Raises the limit as far as the system lets it; the number of connections, at most `wanted`.
    static func connections(_ wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return min(wanted, 1024 - others) }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(wanted + others)))
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return max(16, min(wanted, Int(clamping: limit.rlim_cur) - others))
    }
}
