// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's namespaces: views of the machine that a process can have to itself. Any thread.

import CConfinementShims
import LinuxSystem

/// A kind of namespace.
public enum Namespace: String, CaseIterable, Sendable {
    /// Who one is, and what one may: lets ordinary users have the others.
    case user
    /// Which files there are.
    case mount
    /// Which processes there are, and that all of them end together.
    case process = "pid"
    /// Message queues and shared memory of the old kind.
    case ipc
    /// Network interfaces, ports and abstract sockets.
    case network
    /// The machine's name.
    case names = "uts"

    var flag: Int32 {
        switch self {
        case .user: CConfinementShims_userNamespace
        case .mount: CConfinementShims_mountNamespace
        case .process: CConfinementShims_processNamespace
        case .ipc: CConfinementShims_ipcNamespace
        case .network: CConfinementShims_networkNamespace
        case .names: CConfinementShims_nameNamespace
        }
    }

    /// Those that cannot be had, each with the kernel's answer. A child tries it and ends at once.
    static func refusals() -> [Namespace: Int32] {
        let all = allCases.reduce(0) { $0 | $1.flag }
        guard CConfinementShims_tryNamespaces(all) < 0 else { return [:] }
        let user = CConfinementShims_tryNamespaces(CConfinementShims_userNamespace)
        // Who may make none of users may still be allowed the others, as root is.
        let base = user < 0 ? 0 : CConfinementShims_userNamespace
        var refusals: [Namespace: Int32] = user < 0 ? [.user: -user] : [:]
        for namespace in allCases where namespace != .user {
            let result = CConfinementShims_tryNamespaces(base | namespace.flag)
            if result < 0 { refusals[namespace] = -result }
        }
        return refusals
    }
}
