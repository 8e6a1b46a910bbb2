// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an extension gets with its start beside what every extension gets. Any thread.

import LinuxSystem

/// Libraries that are loaded before the extension's own, and memory that they count in.
public struct ExtensionAddition: Sendable {
    /// The memory's descriptor in the extension.
    public static let descriptor = 4

    /// Variables of the environment.
    public let environment: [String: String]
    /// Files that it has to read for that.
    public let libraries: [String]
    /// It becomes the extension's descriptor 4.
    public let memory: SharedMemory

    public init(environment: [String: String], libraries: [String], memory: SharedMemory) {
        self.environment = environment
        self.libraries = libraries
        self.memory = memory
    }
}
