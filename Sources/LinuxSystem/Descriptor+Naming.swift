// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Descriptors that name a file, and neither read nor change it. Any thread.

import CLinuxShims

extension Descriptor {
    /// Names the file at a path.
    package init(naming path: String) throws(SystemError) {
        self.init(owning: try SystemError.check(CLinuxShims_openPath(path), "find \"\(path)\""))
    }

    /// Names the file at a path in a folder; throws EXDEV if a link on the way leads out of the folder.
    package init(naming path: String, beneath folder: borrowing Descriptor) throws(SystemError) {
        self.init(owning: try SystemError.check(CLinuxShims_openBeneath(folder.number, path), "find \"\(path)\""))
    }
}
