// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts the writing of data to the disk. Control thread.

import CLinuxShims

/// The disk that files are written to.
public enum Disk {
    /// Makes the kernel begin to write a file to the disk, so that a later fsync waits for less.
    public static func beginWriting(descriptor: Int32) { CLinuxShims_beginWriting(descriptor) }
}
