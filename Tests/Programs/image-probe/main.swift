// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzTargets
@preconcurrency import Glibc
import TestSupport

// Reads mutated copies of an ELF file in every way there is: image-probe FILE MUTATED SEED FIRST COUNT
//
// FILE is read; MUTATED, the same or a file that it refers to, is written anew for each number from FIRST on, with changes
// that seed and number determine. Each number is said before its turn: the last one said is what ended the process. Memory
// is limited to 1 GiB, processor time to 10 s for each number. The last line is "done SECONDS MEBIBYTES OPENED": the longest
// turn in processor time, the most memory in use, the number of copies that could be opened for lookups.

let words = CommandLine.arguments
guard words.count == 6, let seed = UInt64(words[3]), let first = Int(words[4]), let count = Int(words[5]) else {
    fatalError("usage: image-probe FILE MUTATED SEED FIRST COUNT")
}
let (file, mutated) = (words[1], words[2])
let original = try Data(contentsOf: URL(filePath: mutated + ".original"))
let mutator = ELFMutator(original)

func limit(_ resource: __rlimit_resource, _ value: UInt64) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
}

func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

limit(RLIMIT_DATA, 1 << 30)
limit(RLIMIT_CORE, 0)
var slowest = 0.0
var opened = 0
for number in first..<first + count {
    print(number)
    fflush(nil)
    try mutator.mutated(seed: seed &+ UInt64(number) &* 1_000_003).write(to: URL(filePath: mutated))
    let start = processorSeconds()
    limit(RLIMIT_CPU, UInt64(start) + 11)
    if ImageReading.everything(path: file) { opened += 1 }
    slowest = max(slowest, processorSeconds() - start)
}
// The kernel's own count of a process's life begins with what its parent had in use.
let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
let kibibytes = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? -1
print("done \(slowest) \(kibibytes >> 10) \(opened)")
