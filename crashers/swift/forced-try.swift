// SPDX-License-Identifier: Apache-2.0
// Is sure that its template can be read.

enum TemplateError: Error {
    case missing(name: String)
}

@inline(never)
func loadTemplate(_ name: String) throws -> String {
    if name.utf8.count > 4 {
        throw TemplateError.missing(name: name)
    }
    return "<p>" + name
}

@inline(never)
func renderPage(_ name: String) -> Int {
    // swift-format-ignore: NeverUseForceTry
    let template = try! loadTemplate(name)
    return template.utf8.count
}

let size = renderPage("invoice-\(CommandLine.arguments.count)")
print("rendered \(size) bytes")
