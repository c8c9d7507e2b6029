// SPDX-License-Identifier: Apache-2.0
import Symbolication
import Testing

@Suite struct InAppRulesTests {
    @Test(arguments: [
        ("/opt/shop/bin/shop", true), ("/home/me/.build/release/shop", true), ("/opt/shop/lib/libshop.so.2", true),
        ("shop", true), ("/usr/bin/shop", false), ("/lib/x86_64-linux-gnu/libc.so.6", false),
        ("/usr/lib/swift/linux/libswiftCore.so", false), ("/opt/swift/usr/lib/swift/linux/libFoundation.so", false),
        ("/opt/shop/lib/libswiftCore.so", false), ("/opt/shop/lib/libdispatch.so", false),
        ("/opt/shop/lib/libvakacrash.so", false), ("linux-vdso.so.1", false), ("[vdso]", false),
        ("/opt/libswift-shop/server", true),
    ])
    func defaults(path: String, isInApp: Bool) {
        #expect(InAppRules().isInApp(path: path) == isInApp)
    }

    @Test func prefixesAreConfigurable() {
        let rules = InAppRules(appPrefixes: ["/usr/local/bin/"], systemPrefixes: ["/usr/", "/vendor/"])
        #expect(rules.isInApp(path: "/usr/local/bin/shop") == true)
        #expect(rules.isInApp(path: "/usr/bin/shop") == false)
        #expect(rules.isInApp(path: "/vendor/lib/libfast.so") == false)
        #expect(rules.isInApp(path: nil) == nil)
    }
}
