// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Hears what Foundation's own loading tells, and hands it on as it came.
// It holds nothing that changes, but for a weak reference, which may be read by any thread.
final class LoadingClient: NSObject, URLProtocolClient, @unchecked Sendable {
    private weak var owner: RecordingURLProtocol?
    private let requestID: String
    private let recorder: NetworkCaptureRecorder

    init(_ owner: RecordingURLProtocol, _ requestID: String, _ recorder: NetworkCaptureRecorder) {
        self.owner = owner
        self.requestID = requestID
        self.recorder = recorder
    }

    /// What the task would have without us. The loader that it is told of stays Foundation's: that has the file of a download.
    private var next: (any URLProtocolClient)? { owner?.client }

    func urlProtocol(
        _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy
    ) {
        recorder.didReceiveResponse(requestID, AnswerFacts(response))
        next?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: cacheStoragePolicy)
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {
        // A body that goes to a delegate does not come by here.
        recorder.didReceiveBody(requestID, data)
        next?.urlProtocol(loader, didLoad: data)
    }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
        let next = next
        if let task = loader.task { finish(task) }
        next?.urlProtocolDidFinishLoading(loader)
    }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
        let next = next
        if let task = loader.task { noteSent(task) }
        let code = (error as? URLError)?.code ?? URLError.Code(rawValue: (error as NSError).code)
        if code == .cancelled {
            recorder.didCancel(requestID)
        } else {
            recorder.didFail(requestID, error: ErrorText.of(error))
        }
        next?.urlProtocol(loader, didFailWithError: error)
    }

    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        next?.urlProtocol(loader, didReceive: challenge)
    }

    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        next?.urlProtocol(loader, didCancel: challenge)
    }

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        next?.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        recorder.note(requestID, ["from_cache": true])
        next?.urlProtocol(loader, cachedResponseIsValid: cachedResponse)
    }

    private func noteSent(_ task: URLSessionTask) {
        let sent = max(task.countOfBytesSent, task.countOfBytesExpectedToSend)
        recorder.didMove(requestID, sent: sent > 0 ? sent : nil, received: nil)
    }

    private func finish(_ task: URLSessionTask) {
        noteSent(task)
        guard let response = task.response else { return recorder.didComplete(requestID) }
        let answer = AnswerFacts(response)
        recorder.didReceiveResponse(requestID, answer)
        recorder.didFinishBody(requestID, known: Self.size(task, response))
        if answer.statusCode == 401, answer.headers.keys.contains(where: { $0.lowercased() == "www-authenticate" }) {
            // A try with credentials would be another exchange, which Foundation makes without us.
            recorder.note(requestID, ["auth_challenge": true])
        }
        recorder.didComplete(requestID)
    }

    /// Of a body that went by; nil where its size is not told.
    private static func size(_ task: URLSessionTask, _ response: URLResponse) -> Int64? {
        if task.countOfBytesReceived > 0 { return task.countOfBytesReceived }
        let encoding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
        guard encoding == nil || encoding == "identity", response.expectedContentLength >= 0 else { return nil }
        if task.originalRequest?.httpMethod == "HEAD" { return 0 }
        return Int64(response.expectedContentLength)
    }
}
