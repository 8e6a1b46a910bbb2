// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks that a name in a folder leads to a file in that folder. Control thread.

import Glibc
import LinuxSystem
import Printing

/// The target of a name in a folder.
///
/// Without this check, anyone who can put a link into a searched folder could choose the files of a plug-in's process.
enum ContainedPath: Equatable {
    /// A file or folder below the folder; the path has no links.
    case inside(String)
    /// A file or folder elsewhere.
    case outside(String)
    /// No file or folder that this user can reach.
    case nowhere

    init(_ name: String, in folder: String) {
        do throws(SystemError) {
            let file = try Descriptor(naming: name, beneath: try Descriptor(naming: folder))
            self = FilePath.resolved("/proc/self/fd/\(file.number)").map { .inside($0) } ?? .nowhere
        } catch {
            // EXDEV is also the answer to an absolute link that leads back into the folder. EAGAIN is the answer if a rename kept
            // the kernel from following the link. An old kernel, or a filter around this program, does not know the call.
            let isUndecided = ![ENOENT, ENOTDIR, ELOOP].contains(error.code)
            guard isUndecided, let target = FilePath.resolved("\(folder)/\(name)"), let base = FilePath.resolved(folder) else {
                self = .nowhere
                return
            }
            self = target.hasPrefix("\(base)/") ? .inside(target) : .outside(target)
        }
    }

    /// The reason against using the name; nil if it leads inside, or nowhere.
    var defect: String? {
        guard case .outside(let target) = self else { return nil }
        return "it is a link to \"\(PrintableText.cleaned(target))\", which is outside of its folder"
    }
}
