// SPDX-License-Identifier: Apache-2.0
import CCurl

/// What an answer that is none, or no good one, means.
enum S3Failure {
    static func of(_ result: vaka_http_result, _ detail: String, _ location: S3Location) -> BlobError {
        switch result {
        case VAKA_HTTP_NO_LIBRARY, VAKA_HTTP_NO_MEMORY: BlobError(.local, detail)
        case VAKA_HTTP_BODY: BlobError(.local, "a file for \(location.name) could not be read to its end")
        case VAKA_HTTP_ANSWER_FILE:
            BlobError(.local, "what comes from \(location.name) cannot be written: \(detail); free the disk")
        case VAKA_HTTP_BAD_URL: BlobError(.misplaced, "\(location.name): \(detail); mend --s3-endpoint")
        case VAKA_HTTP_TIMED_OUT: BlobError(.away, "\(location.name) is too slow (\(detail))")
        case VAKA_HTTP_BROKEN: BlobError(.away, "\(location.name) cut the connection (\(detail))")
        case VAKA_HTTP_ENDED: BlobError(.away, "\(location.name) is not asked any more, for the process ends")
        default:
            BlobError(
                .away,
                "\(location.name) cannot be reached (\(detail)); see that it runs, and that --s3-endpoint is right")
        }
    }

    /// Nil for a success, and where the answer is that there is nothing.
    static func of(_ answer: S3Answer, _ location: S3Location) -> BlobError? {
        // The end of an upload in parts may fail after its 200 was sent.
        if (200..<300).contains(answer.status), !answer.body.contains("<Error>") { return nil }
        let code = answer.text("Code") ?? ""
        let said = code.isEmpty ? "status \(answer.status)" : code
        let subject = "\(location.name) answers \(said)"
        if let region = answer.text("Region"), region != location.region, !region.isEmpty {
            return BlobError(.misplaced, "\(subject): the bucket is in another region; give --s3-region \(region)")
        }
        switch (answer.status, code) {
        case (_, "NoSuchBucket"):
            return BlobError(.misplaced, "\(subject): make the bucket \(location.bucket), or name another with --blobs")
        case (_, "NoSuchUpload"): return BlobError(.away, subject)
        case (404, _), (_, "NoSuchKey"): return nil
        case (412, _), (409, _): return BlobError(.changed, "\(subject): another changed it meanwhile")
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"):
            return BlobError(.misplaced, "\(subject): the bucket is elsewhere; give its --s3-region or --s3-endpoint")
        case (_, "RequestTimeTooSkewed"):
            return BlobError(.refused, "\(subject): this machine's clock is wrong; set it (timedatectl)")
        case (_, "SlowDown"), (_, "RequestTimeout"), (429, _), (500..., _): return BlobError(.away, subject)
        case (401, _), (403, _), (_, "ExpiredToken"), (_, "InvalidAccessKeyId"):
            return BlobError(.refused, "\(subject): \(cure(code, location))")
        default:
            let message = answer.text("Message").map { " (\($0.prefix(200)))" } ?? ""
            return BlobError(.misplaced, "\(subject)\(message); see that --s3-endpoint is an S3-compatible store")
        }
    }

    private static func cure(_ code: String, _ location: S3Location) -> String {
        switch code {
        case "InvalidAccessKeyId": "it does not know the key of AWS_ACCESS_KEY_ID"
        case "SignatureDoesNotMatch":
            "AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID, or --s3-region is not its region"
        case "ExpiredToken", "InvalidToken": "AWS_SESSION_TOKEN has ended; start the server with a new one"
        default:
            "the key needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on "
                + "\(location.bucket)/*, and s3:ListBucket and s3:ListBucketMultipartUploads on \(location.bucket)"
        }
    }
}
