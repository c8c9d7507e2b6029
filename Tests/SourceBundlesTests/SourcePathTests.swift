// SPDX-License-Identifier: Apache-2.0
import SourceBundles
import Testing

@Suite struct SourcePathTests {
    @Test(arguments: [
        ("/build/obj/../src/a.c", "/build/src/a.c"), ("/a/./b//c.swift", "/a/b/c.swift"), ("/../../x.c", "/x.c"),
        ("./src/a.c", "src/a.c"), ("../lib/a.c", "../lib/a.c"), ("a/../../b.c", "../b.c"), ("/", "/"), ("", ""),
        ("/usr/include/c++/12/vector", "/usr/include/c++/12/vector"), ("/a/..", "/"), ("/a/b/.", "/a/b"),
        ("/a/.hidden/b.c", "/a/.hidden/b.c"), ("/a...b/c.c", "/a...b/c.c"), ("//server/a.c", "/server/a.c"),
    ])
    func pathsAreMadeNormal(path: String, normal: String) {
        #expect(SourcePath.normalized(path) == normal)
        #expect(SourcePath.normalized(normal) == normal)
    }

    @Test func belowAFolderEndsAtAPartOfThePath() {
        #expect(SourcePath.isBelow("/build/app/a.c", "/build/app"))
        #expect(SourcePath.isBelow("/build/app", "/build/app"))
        #expect(SourcePath.isBelow("/x", "/"))
        #expect(!SourcePath.isBelow("/build/application/a.c", "/build/app"))
        #expect(!SourcePath.isBelow("/build", "/build/app"))
    }

    @Test func onlyNamesOfSourceFilesAreSource() {
        for name in ["/a/b.c", "x.swift", "/x/y.CPP", "lib.rs", "/x/parse.y", "a.inc", "/q/a.c++"] {
            #expect(SourcePath.isSource(name), "\(name)")
        }
        for name in [
            "/etc/shadow", "/root/.ssh/id_rsa", ".env", "/x/.c", "config.json", "key.pem", "/x.c/secret", "a.c.bak", "",
        ] {
            #expect(!SourcePath.isSource(name), "\(name)")
        }
    }

    @Test func aMapReplacesTheBeginning() throws {
        let map = try #require(SourceMap(argument: "/build/app/=/home/me/app"))
        #expect(map.applied(to: "/build/app/src/a.c") == "/home/me/app/src/a.c")
        #expect(map.applied(to: "/build/application/a.c") == nil)
        #expect(map.applied(to: "/build/app/../../etc/a.c") == "/home/etc/a.c")
        #expect(
            SourceMap(argument: "/rustc/4b7f0d=/opt/rust")?.applied(to: "/rustc/4b7f0d/library/core/src/x.rs")
                == "/opt/rust/library/core/src/x.rs")
        for wrong in ["", "/a", "=/a", "/a="] { #expect(SourceMap(argument: wrong) == nil) }
    }
}
