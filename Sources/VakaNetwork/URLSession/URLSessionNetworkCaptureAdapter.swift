// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking

/// Is told by a session's delegate what becomes of its tasks. Use one adapter for a session; a callback that is
/// forwarded to two is recorded twice. Any thread may call it; holds nothing of the tasks.
public struct URLSessionNetworkCaptureAdapter: Sendable {
    private let capture: NetworkCapture
    private let prefix = UUID().uuidString

    init(_ capture: NetworkCapture) {
        self.capture = capture
    }

    /// Names the task's exchange in its records.
    public func requestID(of task: URLSessionTask) -> String { "\(prefix)-\(task.taskIdentifier)" }

    /// The task is about to be resumed. Without it the exchange begins with the first other callback.
    public func didCreate(_ task: URLSessionTask) { begin(task) }

    /// `urlSession(_:dataTask:didReceive:completionHandler:)`
    public func didReceive(_ response: URLResponse, for task: URLSessionTask) {
        capture.recorder.didReceiveResponse(begin(task), AnswerFacts(response))
    }

    /// `urlSession(_:dataTask:didReceive:)`
    public func didReceive(_ data: Data, for task: URLSessionTask) {
        capture.recorder.didReceiveBody(begin(task), data)
    }

    /// `urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)`
    public func didSendBodyData(_ bytes: Int64, for task: URLSessionTask) {
        capture.recorder.didSendBody(begin(task), bytes: bytes)
    }

    /// `urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)`
    public func didWriteData(totalBytesWritten: Int64, for task: URLSessionDownloadTask) {
        capture.recorder.didMove(begin(task), sent: nil, received: max(0, totalBytesWritten))
    }

    /// `urlSession(_:task:didCompleteWithError:)`
    public func didComplete(_ task: URLSessionTask, error: (any Error)?) {
        let id = begin(task)
        if let response = task.response { capture.recorder.didReceiveResponse(id, AnswerFacts(response)) }
        guard let error else { return capture.recorder.didComplete(id) }
        if (error as NSError).code == URLError.Code.cancelled.rawValue, (error as NSError).domain == NSURLErrorDomain {
            capture.recorder.didCancel(id)
        } else {
            capture.recorder.didFail(id, error: ErrorText.of(error))
        }
    }

    /// What a rule wants of the task, if one matches: the program must do it. Ask once for a task; the answer is recorded.
    public func evaluateFault(for task: URLSessionTask) -> FaultDecision? {
        let request = task.originalRequest
        let decision = capture.context.decide(
            FaultSubject(
                .urlSessionDelegate, method: request?.httpMethod ?? "GET", url: request?.url?.absoluteString ?? ""))
        if let decision { capture.recorder.note(begin(task), decision.metadata) }
        return decision
    }

    @discardableResult
    private func begin(_ task: URLSessionTask) -> String {
        let id = requestID(of: task)
        capture.recorder.start(
            id, task.originalRequest.map { ExchangeFacts($0, TaskKind(task)) } ?? ExchangeFacts(url: "", method: "GET"),
            isConnection: false)
        return id
    }
}
