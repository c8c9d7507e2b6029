// SPDX-License-Identifier: Apache-2.0

/// Tries patterns at places of one text, and counts its steps.
struct ScrubMatcher {
    let text: UnsafeBufferPointer<UInt8>
    /// Steps that are left; below zero the text is given up.
    var steps: Int

    struct Match {
        var whole: Range<Int>
        /// What is taken out.
        var marked: Range<Int>
    }

    mutating func match(_ pattern: ScrubPattern, at start: Int) -> Match? {
        var position = start
        var (opened, closed): (Int?, Int?)
        for element in pattern.elements {
            steps -= 1
            switch element {
            case .one(let set):
                guard position < text.count, set.contains(text[position]) else { return nil }
                position += 1
            case .many(let set, let least, let most, let last):
                guard let end = run(set, position, least, most, last) else { return nil }
                position = end
            case .choice(let options, let isOptional):
                guard let end = choose(options, position) ?? (isOptional ? position : nil) else { return nil }
                position = end
            case .notBefore(let set):
                if position > 0, set.contains(text[position - 1]) { return nil }
            case .notBehind(let set):
                if position < text.count, set.contains(text[position]) { return nil }
            case .until(let end):
                position = behind(end, position)
            case .open: opened = position
            case .close: closed = position
            }
            guard steps >= 0 else { return nil }
        }
        guard position > start else { return nil }
        let marked = opened.map { $0..<(closed ?? position) } ?? start..<position
        return marked.isEmpty ? nil : Match(whole: start..<position, marked: marked)
    }

    private mutating func run(_ set: ByteSet, _ start: Int, _ least: Int, _ most: Int, _ last: UInt8?) -> Int? {
        var end = start
        let limit = min(text.count, start + most)
        while end < limit, set.contains(text[end]) { end += 1 }
        steps -= end - start
        if let last {
            // What follows the run may itself be the byte; else the run ends before its last one.
            if end == text.count || text[end] != last {
                while end > start, text[end - 1] != last { end -= 1 }
                guard end > start else { return nil }
                end -= 1
            }
        }
        return end - start >= least ? end : nil
    }

    private mutating func choose(_ options: [[ByteSet]], _ start: Int) -> Int? {
        let first = start < text.count ? text[start] : 0
        for option in options {
            steps -= 1
            if let head = option.first, !head.contains(first) { continue }
            if let end = fits(option, start) { return end }
        }
        return nil
    }

    private mutating func fits(_ sets: [ByteSet], _ start: Int) -> Int? {
        guard start + sets.count <= text.count else { return nil }
        for (index, set) in sets.enumerated() {
            steps -= 1
            guard set.contains(text[start + index]) else { return nil }
        }
        return start + sets.count
    }

    private mutating func behind(_ end: [ByteSet], _ start: Int) -> Int {
        var position = start
        while position + end.count <= text.count, steps >= 0 {
            steps -= 1
            if end[0].contains(text[position]), let found = fits(end, position) { return found }
            position += 1
        }
        return text.count
    }
}
