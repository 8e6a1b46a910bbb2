// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file in memory, lent to a process that writes into it. Control thread.

import CLinuxShims

extension Descriptor {
    /// `[control]` Makes an empty file in memory, without a name in any folder, closed on exec.
    package static func memoryFile(named name: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try SystemError.check(CLinuxShims_memfdCreate(name), "make the file \"\(name)\" in memory"))
    }
}
