// SPDX-License-Identifier: Apache-2.0

/// Takes secrets out of one text after the other. In a time bounded by the text's length; what exceeds it is taken out whole.
package struct TextScrubber: Sendable {
    private struct Finding {
        var range: Range<Int>
        var replacement: [UInt8]
    }

    /// Steps of matching, for each byte and in all.
    private static let stepsAByte = 16
    private static let stepsAtLeast = 1 << 16
    /// In one text.
    private static let mostFindings = 10_000

    private static let mark = Array("[scrubbed:".utf8)

    private let plan: ScrubPlan

    package init(_ plan: ScrubPlan) {
        self.plan = plan
    }

    package func scrub(_ text: String) -> String {
        var text = text
        let scrubbed = text.withUTF8 { scrub($0) }
        return scrubbed.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Nil where nothing is taken out.
    package func scrub(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch findings(text) {
        case nil: Self.givenUp
        case let findings?: findings.isEmpty ? nil : Self.replaced(text, findings)
        }
    }

    /// As text where it is one; else what is found is overwritten. Nil where nothing is.
    func scrub(file: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let scrubbed = scrub(file) else { return nil }
        let isText = String(validating: file, as: UTF8.self) != nil && !file.contains(0)
        return isText ? scrubbed : overwritten(file)
    }

    /// With `*` in the place of each byte that is taken out: what is no text keeps its form.
    private func overwritten(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result = Array(text)
        for range in findings(text)?.map(\.range) ?? [0..<text.count] {
            for index in range { result[index] = UInt8(ascii: "*") }
        }
        return result
    }

    /// Nil where it took longer than it may.
    private func findings(_ text: UnsafeBufferPointer<UInt8>) -> [Finding]? {
        var matcher = ScrubMatcher(
            text: text,
            steps: max(Self.stepsAtLeast, text.count.multipliedReportingOverflow(by: Self.stepsAByte).partialValue))
        var findings: [Finding] = []
        var position = 0
        while let candidate = plan.candidate(in: text, from: position) {
            guard let (finding, end) = finding(&matcher, at: candidate) else {
                if matcher.steps < 0 { return nil }
                position = candidate + 1
                continue
            }
            findings.append(finding)
            guard findings.count <= Self.mostFindings else { return nil }
            position = max(end, candidate + 1)
        }
        return findings
    }

    /// The whole text is gone: it took longer than it may.
    private static let givenUp = Array(ScrubRule.mark("a rule ran over its bound").utf8)

    /// The first rule's that finds something there.
    private func finding(_ matcher: inout ScrubMatcher, at start: Int) -> (Finding, end: Int)? {
        let text = matcher.text
        let second = start + 1 < text.count ? text[start + 1] : 0
        let third = start + 2 < text.count ? text[start + 2] : 0
        for index in plan.byFirst[Int(text[start])] {
            let entry = plan.entries[index]
            if start > 0, entry.start.notBefore.contains(text[start - 1]) { continue }
            guard entry.start.second.contains(second), entry.start.third.contains(third),
                let match = matcher.match(entry.pattern, at: start)
            else {
                if matcher.steps < 0 { return nil }
                continue
            }
            if entry.rule.check == .luhn, !Luhn.holds(text[match.marked]) { continue }
            let replacement = entry.rule.replacement ?? ScrubRule.mark(entry.rule.name)
            // What was taken out before stays as it is.
            if text[match.marked].starts(with: Self.mark) { continue }
            return (Finding(range: match.marked, replacement: Array(replacement.utf8)), match.whole.upperBound)
        }
        return nil
    }

    private static func replaced(_ text: UnsafeBufferPointer<UInt8>, _ findings: [Finding]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + findings.count * 16)
        var position = 0
        for finding in findings {
            result.append(contentsOf: text[position..<finding.range.lowerBound])
            result.append(contentsOf: finding.replacement)
            position = finding.range.upperBound
        }
        result.append(contentsOf: text[position...])
        return result
    }
}

/// The check digit of card numbers (ISO/IEC 7812-1, annex B).
enum Luhn {
    /// Of the digits alone.
    static func holds(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var (sum, count) = (0, 0)
        for byte in text.reversed() where ByteSet.digit.contains(byte) {
            let digit = Int(byte - 0x30)
            let doubled = digit * 2
            sum += count % 2 == 0 ? digit : doubled > 9 ? doubled - 9 : doubled
            count += 1
        }
        return (13...19).contains(count) && sum % 10 == 0
    }
}
