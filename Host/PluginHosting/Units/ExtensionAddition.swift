// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Additions for one extension at its start, beside the usual environment, libraries and memory. Any thread.

import LinuxSystem

/// Libraries that are loaded before the extension's own, and the memory that they write to.
package struct ExtensionAddition: Sendable {
    /// The memory's descriptor in the extension.
    package static let descriptor = 4

    /// Variables of the environment.
    package let environment: [String: String]
    /// The libraries' files, which the extension must be able to read.
    package let libraries: [String]
    /// The memory; it becomes the extension's descriptor 4.
    package let memory: SharedMemory

    package init(environment: [String: String], libraries: [String], memory: SharedMemory) {
        self.environment = environment
        self.libraries = libraries
        self.memory = memory
    }
}
