// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How this process gets its memory. Main thread, at the start.

import CLinuxShims

public enum Memory {
    /// Has malloc return zeros from now on, whatever lay there before.
    public static func clearsAllocations() { CLinuxShims_clearAllocations() }
}
