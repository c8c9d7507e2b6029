// SPDX-License-Identifier: Apache-2.0
import ServiceClient
import Testing

@Suite struct ServiceEndpointTests {
    @Test(arguments: [
        ("https://vaka.example.com", "https://vaka.example.com"), ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("https://example.com/vaka//", "https://example.com/vaka"), ("http://[::1]:80", "http://[::1]:80"),
    ]) func good(url: String, base: String) throws {
        #expect(try ServiceEndpoint(url: url).base == base)
    }

    @Test(arguments: [
        "", "vaka.example.com", "ftp://example.com", "https://", "https://user:secret@example.com", "https://a/?q=1",
        "https://a/#x", "http://exa mple.com/",
    ]) func bad(url: String) {
        #expect(throws: ServiceEndpoint.Invalid.self) { try ServiceEndpoint(url: url) }
    }
}
