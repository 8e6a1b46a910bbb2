// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The facts of a scan, for the user. Any thread.

/// The facts of a scan beside its plug-ins.
public struct ScanReport: Hashable, Sendable {
    /// A library, folder or plug-in that cannot be used, with the reason.
    public struct Failure: Hashable, Sendable {
        /// The format that was searched for.
        public let format: PluginFormat
        /// The library or folder.
        public let path: String
        /// The reason, to follow a colon.
        public let reason: String
    }

    /// A plug-in that another one of the same ID, from an earlier folder, hides.
    public struct HiddenUnit: Hashable, Sendable {
        /// The hidden plug-in's ID.
        public let id: String
        /// The library or folder of the hidden plug-in.
        public let path: String
        /// The library or folder of the plug-in that is used instead.
        public let hidingPath: String
    }

    /// The number of libraries and folders in the scan.
    public internal(set) var locationCount = 0
    /// The number of unknown libraries and folders, for which a process was started.
    public internal(set) var scannedCount = 0
    /// Libraries and folders that cannot be used.
    public internal(set) var failures: [Failure] = []
    /// The number of failures that were not known before.
    public internal(set) var newFailureCount = 0
    /// Single plug-ins that cannot be used, each as a sentence, with their library or folder.
    public internal(set) var defects: [Failure] = []
    /// Plug-ins that others of the same ID hide.
    public internal(set) var hidden: [HiddenUnit] = []
    /// Sentences about a cache that cannot be used.
    public internal(set) var warnings: [String] = []
}

/// The progress of a scan.
package struct ScanProgress: Hashable, Sendable {
    package let doneCount: Int
    package let totalCount: Int
}
