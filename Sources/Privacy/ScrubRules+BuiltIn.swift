// SPDX-License-Identifier: Apache-2.0

extension ScrubRule {
    private static let secretWords =
        "(?:password|passwd|passphrase|pwd|secret|api_key|api-key|apikey|access_key|access-key|accesskey|accountkey|"
        + "private_key|private-key|privatekey|credential|access_token|auth_token|refresh_token|id_token|session_token|"
        + "api_token|bearer_token|csrf_token|client_token|access-token|auth-token|accesstoken|authtoken|refreshtoken)"

    /// What holds for every project that does not turn it off. The order matters: what is wide comes first.
    package static let builtIn: [ScrubRule] = [
        ScrubRule(
            "private-key",
            ["-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?until:-----END)[A-Z0-9 ]{0,60}(?:-----)?"]),
        ScrubRule(
            "authorization",
            [
                "(?i)authorization[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}[\"']?(?:bearer |basic |token |digest |negotiate )?([^\\r\\n\"']{1,8192})",
                "(?i)(?<![\\w])bearer ([\\w.~+/=-]{16,})",
                "(?i)(?:set-cookie|cookie)[\"']?[ \\t]{0,4}:[ \\t]{0,4}([^\\r\\n]{1,8192})",
            ]),
        ScrubRule("url-password", ["://[^\\s/?#@:\"'<>]{0,256}:([^\\s/?#\"'<>]{1,1024})@"]),
        ScrubRule(
            "jwt", ["(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*"]),
        ScrubRule(
            "cloud-key",
            [
                "(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
                "(?<![\\w])AIza[\\w-]{35}", "(?<![\\w])(?:ghp_|gho_|ghu_|ghs_|ghr_)[A-Za-z0-9]{20,255}",
                "(?<![\\w])github_pat_[\\w]{22,255}", "(?<![\\w])glpat-[\\w-]{20,255}",
                "(?<![\\w])xox[abeprs]-[A-Za-z0-9-]{10,255}",
                "(?<![\\w])(?:sk_live_|rk_live_|sk_test_|rk_test_|whsec_)[A-Za-z0-9]{16,255}",
                "(?<![\\w])SG\\.[\\w-]{16,64}\\.[\\w-]{16,128}", "(?<![\\w-])sk-[\\w-]{20,255}",
                "(?<![\\w])npm_[A-Za-z0-9]{36}", "(?<![\\w])(?:va_|vk_)[\\w-]{43}(?![\\w-])",
            ]),
        ScrubRule(
            "secret",
            [
                "(?i)" + secretWords + "[\\w-]{0,24}[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}\"([^\"\\r\\n]{1,8192})",
                "(?i)" + secretWords + "[\\w-]{0,24}[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}'([^'\\r\\n]{1,8192})",
                "(?i)" + secretWords + "[\\w-]{0,24}[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}([^\\s\"'&,;<>)}\\]]{1,8192})",
                "(?i)--(?:password|passwd|passphrase|token|secret|api-key)[\\w-]{0,24} ([^\\s]{1,8192})",
                "(?i)(?<![\\w])token=([^\\s\"'&,;<>)}\\]]{1,8192})",
            ]),
        ScrubRule(
            "card-number",
            [
                "(?<![\\w.])[3-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{1,7}(?![\\w])",
                "(?<![\\w.])2[2-7][0-9]{2}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}(?![\\w])",
                "(?<![\\w.])3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}(?![\\w])",
            ], check: .luhn),
        ScrubRule(
            "home-folder", ["(?<![\\w.~-])(?:/home/|/Users/)/{0,64}[^\\s/:,;)\\]}\"'<>|]+"], replacement: "~"),
        ScrubRule(addressParts, []),
    ]

    /// Takes user, password, query and fragment out of the addresses of network exchanges. It has no pattern: see
    /// `AddressParts`.
    package static let addressParts = "url-parts"

    /// Those that a project turns on.
    package static let onRequest: [ScrubRule] = [
        ScrubRule("email", ["(?<![\\w.+%-])[\\w.+%-]{1,64}@[\\w-]{1,63}\\.[\\w.-]{1,190}"])
    ]
}
