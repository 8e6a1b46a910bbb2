// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether what lies in a folder under a name is really in that folder. Control thread.

import Glibc
import LinuxSystem
import Printing

/// Where a name in a folder leads.
///
/// Whoever can put a link into a folder that is searched would otherwise choose what a plug-in's process may read.
enum ContainedPath: Equatable {
    /// To this file or folder below it; the path has no links.
    case inside(String)
    /// To this file or folder elsewhere.
    case outside(String)
    /// To nothing that this user can reach.
    case nowhere

    init(_ name: String, in folder: String) {
        do throws(SystemError) {
            let file = try Descriptor(naming: name, beneath: try Descriptor(naming: folder))
            self = FilePath.resolved("/proc/self/fd/\(file.number)").map { .inside($0) } ?? .nowhere
        } catch {
            // EXDEV is also the answer to an absolute link that leads back into the folder, and EAGAIN to one that the kernel could
            // not follow while something was renamed. An old kernel, or a filter around this program, does not know the call.
            let isUndecided = ![ENOENT, ENOTDIR, ELOOP].contains(error.code)
            guard isUndecided, let target = FilePath.resolved("\(folder)/\(name)"), let base = FilePath.resolved(folder) else {
                self = .nowhere
                return
            }
            self = target.hasPrefix("\(base)/") ? .inside(target) : .outside(target)
        }
    }

    /// Why the name cannot be used; nil if it leads inside, or nowhere.
    var defect: String? {
        guard case .outside(let target) = self else { return nil }
        return "it is a link to \"\(PrintableText.cleaned(target))\", which is outside of its folder"
    }
}
