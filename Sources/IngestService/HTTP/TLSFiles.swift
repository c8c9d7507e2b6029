// SPDX-License-Identifier: Apache-2.0
import CTLS
import FoundationEssentials
import Glibc

/// The certificate that the server shows: a chain and its key, in PEM files that may be renewed while it runs.
package struct TLSFiles: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads both files; handshakes that begin from now on use them. When it throws, what was in use stays.
    func use() throws(ServiceError) {
        let chain = try Self.read(certificate, "--tls-cert")
        let secret = try Self.read(key, "--tls-key")
        var reason: UnsafePointer<CChar>?
        let result = chain.withUnsafeBytes { chain in
            secret.withUnsafeBytes { secret in
                vaka_tls_use(chain.baseAddress, chain.count, secret.baseAddress, secret.count, &reason)
            }
        }
        guard result != VAKA_TLS_DONE else { return }
        throw problem(result, reason.map { " (\(String(cString: $0)))" } ?? "")
    }

    /// Seconds since 1970; nil without a certificate.
    static var expiry: Int64? {
        let seconds = vaka_tls_expiry()
        return seconds >= 0 ? seconds : nil
    }

    private func problem(_ result: vaka_tls_result, _ reason: String) -> ServiceError {
        switch result {
        case VAKA_TLS_NO_CERTIFICATE:
            ServiceError(
                "\(certificate) holds no certificate that can be read\(reason); --tls-cert takes a PEM file that begins "
                    + "with the server's own certificate, those that vouch for it behind (fullchain.pem of most issuers)"
            )
        case VAKA_TLS_NO_KEY:
            ServiceError(
                "\(key) holds no private key that can be read\(reason); --tls-key takes a PEM file without a password "
                    + "(openssl pkey -in \(key) -out plain.pem removes one)")
        case VAKA_TLS_OTHER_KEY:
            ServiceError(
                "the key in \(key) is not that of the first certificate in \(certificate); give the pair that was issued "
                    + "together, the server's own certificate first")
        default: ServiceError("no memory for the certificate in \(certificate)")
        }
    }

    private static let mostBytes: Int64 = 1 << 20

    private static func read(_ path: String, _ option: String) throws(ServiceError) -> Data {
        var information = stat()
        guard stat(path, &information) == 0, access(path, R_OK) == 0 else {
            let user = "user \(geteuid())"
            throw ServiceError.system(
                "cannot read \(path); \(option) takes a PEM file that \(user) may read, with every folder above it")
        }
        guard information.st_mode & S_IFMT == S_IFREG, information.st_size <= mostBytes,
            let data = try? Data(contentsOf: URL(filePath: path))
        else { throw ServiceError("\(path) is no PEM file; \(option) takes one of at most \(mostBytes) bytes") }
        return data
    }
}
