// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a page is to do, who asked for it, and the page's own question for more. A value under its owner's lock: whom a
/// change concerns is told by what `takeWakes` gives, after the lock.
struct WebCommands {
    /// How a command ended.
    enum End: Sendable {
        case done
        case failed
        /// The page never took it.
        case untaken
        /// The page took it, and did not say what became of it.
        case unanswered
    }

    private struct Command {
        var command: PageCommand
        var isTaken = false
        var end: End?
        var waiting: CheckedContinuation<End, Never>?
    }

    private var commands: [Int: Command] = [:]
    private var last = 0
    private var poll: (number: Int, continuation: CheckedContinuation<PageCommand?, Never>?)?
    private var polls = 0
    private var wakes: [@Sendable () -> Void] = []

    mutating func takeWakes() -> [@Sendable () -> Void] {
        let taken = wakes
        wakes = []
        return taken
    }

    // MARK: Who asks for something

    mutating func add(_ action: WebAction) -> Int {
        last += 1
        commands[last] = Command(command: PageCommand(last, action))
        handOut()
        return last
    }

    mutating func wait(for number: Int, _ continuation: CheckedContinuation<End, Never>) {
        commands[number]?.waiting = continuation
        settle(number)
    }

    /// Its time is over.
    mutating func giveUp(_ number: Int) {
        guard let command = commands[number] else { return }
        end(number, command.isTaken ? .unanswered : .untaken)
    }

    /// The document is left.
    mutating func endAll() {
        for number in commands.keys.sorted() { giveUp(number) }
        if let poll { endPoll(poll.number) }
    }

    // MARK: The page

    /// One question at a time: an earlier one is answered with nothing.
    mutating func newPoll() -> Int {
        if let poll { endPoll(poll.number) }
        polls += 1
        poll = (polls, nil)
        return polls
    }

    mutating func wait(poll number: Int, _ continuation: CheckedContinuation<PageCommand?, Never>) {
        guard poll?.number == number else { return wakes.append { continuation.resume(returning: nil) } }
        poll?.continuation = continuation
        handOut()
    }

    mutating func endPoll(_ number: Int) {
        guard let ended = poll, ended.number == number else { return }
        poll = nil
        if let continuation = ended.continuation { wakes.append { continuation.resume(returning: nil) } }
    }

    mutating func answer(_ number: Int, failed: Bool) {
        guard commands[number]?.isTaken == true else { return }
        end(number, failed ? .failed : .done)
    }

    // MARK: Both

    private mutating func handOut() {
        guard let continuation = poll?.continuation,
            let number = commands.keys.filter({ commands[$0]?.isTaken == false && commands[$0]?.end == nil }).min(),
            let command = commands[number]?.command
        else { return }
        poll = nil
        commands[number]?.isTaken = true
        wakes.append { continuation.resume(returning: command) }
    }

    private mutating func end(_ number: Int, _ end: End) {
        guard commands[number]?.end == nil else { return }
        commands[number]?.end = end
        settle(number)
    }

    /// Tells who waits, once there are both.
    private mutating func settle(_ number: Int) {
        guard let command = commands[number], let end = command.end, let continuation = command.waiting else { return }
        commands[number] = nil
        wakes.append { continuation.resume(returning: end) }
    }
}
