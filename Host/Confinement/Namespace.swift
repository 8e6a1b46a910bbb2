// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's namespaces: a process's own views of the machine. Any thread.

import CConfinementShims
import LinuxSystem

/// `[any]` A kind of namespace.
public enum Namespace: String, CaseIterable, Sendable {
    /// Users and their rights.
    ///
    /// It lets ordinary users make the other namespaces.
    case user
    /// Mounts: the visible files.
    case mount
    /// Processes: the visible processes.
    ///
    /// All of them end together.
    case process = "pid"
    /// System V message queues and shared memory.
    case ipc
    /// Network interfaces, ports and abstract sockets.
    case network
    /// The machine's host name.
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

    /// The namespaces that this user cannot have, each with the kernel's errno.
    ///
    /// A child tries each of them and ends at once.
    static func refusals() -> [Namespace: Int32] {
        let all = allCases.reduce(0) { $0 | $1.flag }
        guard CConfinementShims_tryNamespaces(all) < 0 else { return [:] }
        let user = CConfinementShims_tryNamespaces(CConfinementShims_userNamespace)
        // If user namespaces are refused, the others may still be allowed, as for root.
        let base = user < 0 ? 0 : CConfinementShims_userNamespace
        var refusals: [Namespace: Int32] = user < 0 ? [.user: -user] : [:]
        for namespace in allCases where namespace != .user {
            let result = CConfinementShims_tryNamespaces(base | namespace.flag)
            if result < 0 { refusals[namespace] = -result }
        }
        return refusals
    }
}
