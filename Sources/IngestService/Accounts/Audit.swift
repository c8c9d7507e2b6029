// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

extension Route {
    /// What changes something and is told elsewhere only in parts, or not at all.
    var isAudited: Bool {
        guard method != "GET", let permission = access.permission else { return false }
        if case .part = body { return false }
        return [.write, .upload, .admin, .server].contains(permission)
    }
}

extension Service {
    /// Takes down what was done by a request.
    func audit(_ route: Route, _ request: HTTPRequest, _ response: HTTPResponse) throws(StoreError) {
        guard route.isAudited, response.status < 400 else { return }
        let path = route.pattern.replacing(RouteTable.project, with: "").replacing("/api/v1", with: "")
        let parts = request.parameters.filter { $0.key != "p" }.sorted { $0.key < $1.key }.map(\.value)
        let target = (parts + [response.subject].compactMap { $0 }).joined(separator: " ")
        try audit(
            "\(route.method) \(path)", request, actor: request.caller?.name,
            target: target.isEmpty ? nil : String(target.prefix(200)))
    }

    func audit(
        _ action: String, _ request: HTTPRequest, actor: String?, target: String? = nil, project: Project? = nil
    ) throws(StoreError) {
        try store.audit(
            AuditEntry(
                at: store.now, actor: actor ?? "unknown", action: action, target: target,
                project: (project ?? request.project)?.id, address: request.address))
    }
}
