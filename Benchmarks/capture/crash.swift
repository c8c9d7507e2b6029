// SPDX-License-Identifier: Apache-2.0
// A Swift program that crashes beside other threads: crash THREADS.
import Glibc

let count = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 1
for _ in 1..<max(count, 1) {
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
}
UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
