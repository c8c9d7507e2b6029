// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Vaka

// Counts the words of a file: wordcount FILE. With VAKA_URL and VAKA_KEY it reports its crashes and failures.

/// A file that could not be counted, and why.
struct CountFailed: Vaka.ErrorWithCauses, CustomStringConvertible {
    let file: String
    let cause: any Error

    var description: String { "the words of \(file) could not be counted" }
    var underlyingErrors: [any Error] { [cause] }
}

func startReporting() {
    let variables = ProcessInfo.processInfo.environment
    guard let key = variables["VAKA_KEY"], let url = variables["VAKA_URL"].flatMap({ URL(string: $0) }) else { return }
    var options = Vaka.Options(key: key, endpoint: url, release: "wordcount@1.0")
    options.storageDirectory = variables["VAKA_STORAGE"].map { URL(filePath: $0) }
    options.throwStacks = true
    Vaka.start(options)
}

func words(of file: String) throws -> Int {
    Vaka.addBreadcrumb(category: "file", message: "counts \(file)")
    do {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).count
    } catch {
        throw CountFailed(file: file, cause: error)
    }
}

/// A bug on purpose: an empty file has no words to share between.
func average(letters: Int, words: Int) -> Int {
    letters / words
}

startReporting()
guard let file = CommandLine.arguments.dropFirst().first else {
    print("usage: wordcount FILE")
    exit(2)
}
do {
    let count = try words(of: file)
    let letters = (try Data(contentsOf: URL(filePath: file))).count
    print("\(count) words, \(average(letters: letters, words: count)) bytes each")
} catch {
    Vaka.capture(error)
    print(error)
    // Sent at the end of the program, for at most two seconds; what does not leave then is sent at the next start.
    exit(1)
}
