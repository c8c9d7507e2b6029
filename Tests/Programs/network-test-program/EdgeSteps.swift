// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import Vaka
import VakaNetwork

// `head=PATH`, `guarded=PATH` (with credentials when it is asked for them), `stream=PATH` (a body of 70,000 bytes that is a stream), `file=PATH`
// (a body that is a file), `continue=PATH` (a body that waits for a 100), `early=PATH` (given up before it begins), `invalidated=PATH` (its session
// is), `cached=PATH` (which the cache has), `capture` (an error and a message).

/// Knows a password, and has streams.
final class Credentials: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "me", password: "secret", persistence: .none))
    }
}

@MainActor func performEdge(_ name: String, _ value: String) -> Bool {
    let outcome = Outcome()
    let told: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { outcome.told($0, $1, $2) }
    switch name {
    case "head": transports.session.dataTask(with: request(value, "HEAD"), completionHandler: told).resume()
    case "guarded": session(delegate: Credentials()).dataTask(with: url(value), completionHandler: told).resume()
    case "stream":
        var post = request(value, "POST")
        post.httpBodyStream = InputStream(data: Data(repeating: 0x62, count: 70_000))
        transports.session.dataTask(with: post, completionHandler: told).resume()
    case "file":
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString)")
        try? Data(repeating: 0x63, count: 3000).write(to: file)
        transports.session.uploadTask(with: request(value, "PUT"), fromFile: file, completionHandler: told).resume()
        outcome.said()
        try? FileManager.default.removeItem(at: file)
        return true
    case "continue":
        var post = request(value, "POST")
        post.setValue("100-continue", forHTTPHeaderField: "Expect")
        post.httpBody = Data("waited".utf8)
        transports.session.dataTask(with: post, completionHandler: told).resume()
    case "early":
        let task = transports.session.dataTask(with: url(value), completionHandler: told)
        task.cancel()
        task.resume()
    case "invalidated":
        let session = session(delegate: nil)
        let task = session.dataTask(with: url(value), completionHandler: told)
        if transports.isRegistered { hold(task) } else { task.resume() }
        session.invalidateAndCancel()
    case "cached": cached(value, told)
    case "capture":
        Vaka.capture(URLError(.badServerResponse))
        Vaka.capture(message: "as asked")
        return true
    default: return false
    }
    outcome.said()
    return true
}

/// One of its own.
@MainActor private func session(
    delegate: (any URLSessionDelegate)?, _ change: (URLSessionConfiguration) -> Void = { _ in }
) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    if transports.isRegistered { NetworkCapture.shared.registerURLSession(configuration) }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
}

/// The answer is in the cache already.
@MainActor private func cached(_ path: String, _ told: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void)
{
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let headers = ["Cache-Control": "max-age=600", "Content-Type": "text/plain", "Content-Length": "4"]
    if let response = HTTPURLResponse(url: url(path), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers) {
        cache.storeCachedResponse(
            CachedURLResponse(response: response, data: Data("kept".utf8)), for: URLRequest(url: url(path)))
    }
    let session = session(delegate: nil) { configuration in
        configuration.urlCache = cache
        configuration.requestCachePolicy = .returnCacheDataElseLoad
    }
    session.dataTask(with: url(path), completionHandler: told).resume()
}
