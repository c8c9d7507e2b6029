// SPDX-License-Identifier: Apache-2.0
import Symbolication
import Testing

@Suite struct LookupRendererTests {
    private static let frames = [
        LookupFrame(
            symbol: "_Z4halfi", function: "half(int)", file: "/src/a.cc", line: 3, column: 14, inlined: true),
        LookupFrame(symbol: "main", function: "main", file: "/src/a.cc", notes: ["compiler_generated"]),
    ]

    @Test func textHasTheShapeOfTheReference() {
        #expect(LookupRenderer().text(Self.frames) == "half(int)\n/src/a.cc:3:14\nmain\n/src/a.cc:0:0\n\n")
        #expect(LookupRenderer(demangle: false).text(Self.frames).hasPrefix("_Z4halfi\n"))
        #expect(LookupRenderer().text([]) == "??\n??:0:0\n\n")
    }

    @Test func jsonIsOneLineAnAddress() throws {
        let json = try LookupRenderer().json(address: 0x12ab, Self.frames)
        #expect(
            json
                == #"{"address":"0x12ab","frames":[{"column":14,"file":"/src/a.cc","function":"half(int)","inlined":true,"line":3,"notes":[],"symbol":"_Z4halfi"},"#
                + #"{"column":null,"file":"/src/a.cc","function":"main","inlined":false,"line":null,"notes":["compiler_generated"],"symbol":"main"}]}"#
        )
        #expect(try LookupRenderer().json(address: 1, []) == #"{"address":"0x1","frames":[]}"#)
    }
}
