// SPDX-License-Identifier: Apache-2.0
import Vaka

struct RequestFailed: Error {
    let line: String
}

enum Requests {
    /// Each request has a scope: its tags and breadcrumbs stay with it.
    static func answer(_ line: String) async throws -> String {
        await Vaka.withScope("request") { scope in
            scope.setTag("verb", String(line.prefix { $0 != " " }))
            Vaka.addBreadcrumb(category: "request", message: line)
            do {
                let answer = try await work(line)
                Vaka.countRequest(.ok)
                return answer
            } catch {
                Vaka.capture(error)
                Vaka.countRequest(.errored)
                return "error"
            }
        }
    }

    private static func work(_ line: String) async throws -> String {
        switch line {
        case "fail": throw RequestFailed(line: line)
        case "crash": return String([1, 2, 3][line.count])
        default: return String(line.count)
        }
    }
}
