// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// Sends by Foundation's URLSession, with nothing kept: no cookies, no cache, no credentials.
final class URLSessionTransport: Transport {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    func post(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer {
        guard let url = URL(string: request.url) else { throw TransportFailure("\(request.url) is no URL") }
        let seconds = request.timeout / .seconds(1)
        var message = URLRequest(url: url, timeoutInterval: seconds)
        message.httpMethod = "POST"
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }

        let answer = Mutex<Result<TransportAnswer, TransportFailure>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = session.dataTask(with: message) { data, response, error in
            answer.withLock { $0 = Self.result(data, response, error) }
            done.signal()
        }
        task.resume()
        guard done.wait(timeout: .now() + seconds) == .success else {
            task.cancel()
            throw TransportFailure("no answer from \(request.url) within \(seconds) s")
        }
        guard let result = answer.withLock({ $0 }) else { throw TransportFailure("no answer") }
        return try result.get()
    }

    private static func result(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<TransportAnswer, TransportFailure> {
        guard let response = response as? HTTPURLResponse else {
            return .failure(TransportFailure(error.map { "\($0.localizedDescription)" } ?? "no HTTP answer"))
        }
        return .success(
            TransportAnswer(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                body: data ?? Data()))
    }
}

/// Answers a redirect with "no": the redirect itself is then the answer.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
