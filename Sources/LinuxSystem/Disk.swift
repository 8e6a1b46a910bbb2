// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When what has been written reaches the disk. Control thread.

import CLinuxShims

public enum Disk {
    /// Has the kernel begin to write what a file holds, so that who makes it durable in the end need not wait for all of it.
    public static func beginWriting(descriptor: Int32) { CLinuxShims_beginWriting(descriptor) }
}
