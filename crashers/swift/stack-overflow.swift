// SPDX-License-Identifier: Apache-2.0
// Asks for the length of a folder's path where a folder contains itself: on the main thread, a Thread, a queue or in a Task.
import Dispatch
import Foundation

/// Each folder's parent; -1 where there is none.
typealias Folders = [Int]

@inline(never)
func pathLength(_ folders: Folders, _ folder: Int, _ depth: Int) -> Int {
    let parent = folders[folder]
    if parent < 0 { return depth }
    let rest = pathLength(folders, parent, depth + 1)
    return rest ^ (rest &* depth)
}

let done = DispatchSemaphore(value: 0)
let work: @Sendable () -> Void = {
    print(pathLength([1, 0], 0, 0))
    done.signal()
}

switch CommandLine.arguments.dropFirst().first {
case "main": work()
case "thread": Thread(block: work).start()
case "queue": DispatchQueue(label: "paths").async(execute: work)
default: Task.detached { work() }
}
done.wait()
