// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A mail as it goes over the wire (RFC 5322): plain text, UTF-8, in base64. Whatever is in the texts, no line of the header
/// ends where it should not.
struct MailMessage {
    var from: String
    var to: String
    var subject: String
    var text: String
    /// Of the alert; names the mail, so that who gets it twice sees that.
    var id: String
    var date = Date()

    private static let lineBytes = 76
    /// Of the bytes of one encoded word, which holds 75 characters.
    private static let wordBytes = 45

    var bytes: [UInt8] {
        let domain = from.split(separator: "@").last ?? "localhost"
        let lines =
            [
                "From: <\(from)>", "To: <\(to)>", "Subject: \(Self.words(subject))", "Date: \(Self.text(date))",
                "Message-ID: <vaka-\(id)@\(domain)>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
            ] + Self.encoded(text)
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// As encoded words of RFC 2047, cut between characters.
    static func words(_ text: String) -> String {
        let line = String(
            text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }.prefix(300))
        if line.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), !line.contains("=?"), line.utf8.count <= lineBytes - 9
        {
            return line
        }
        var words: [[UInt8]] = [[]]
        for scalar in line.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            // The first shares its line with the field's name.
            let room = words.count == 1 ? wordBytes - 9 : wordBytes
            if words[words.count - 1].count + bytes.count > room { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    private static func encoded(_ text: String) -> [String] {
        let base64 = Array(Data(text.utf8).base64EncodedString().utf8)
        return stride(from: 0, to: base64.count, by: lineBytes).map { start in
            String(decoding: base64[start..<min(start + lineBytes, base64.count)], as: UTF8.self)
        }
    }

    private static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) +0000"
    }
}
