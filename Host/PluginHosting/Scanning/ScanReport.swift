// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a scan found, for people. Any thread.

/// The facts of a scan beside its plug-ins.
public struct ScanReport: Hashable, Sendable {
    /// Something that cannot be used.
    public struct Failure: Hashable, Sendable {
        public let format: PluginFormat
        /// The library or folder.
        public let path: String
        /// To follow a colon.
        public let reason: String
    }

    /// A plug-in that another of the same ID hides, from an earlier folder.
    public struct HiddenUnit: Hashable, Sendable {
        public let id: String
        public let path: String
        /// Where the one is that is used.
        public let hidingPath: String
    }

    /// Libraries and folders that were looked at.
    public internal(set) var placeCount = 0
    /// Those of them that a process was started for, because nothing was known of them.
    public internal(set) var scannedCount = 0
    /// Those of them that cannot be used.
    public internal(set) var failures: [Failure] = []
    /// Failures that were not known before.
    public internal(set) var newFailureCount = 0
    /// A sentence each about single plug-ins that cannot be used, with the place they are in.
    public internal(set) var defects: [Failure] = []
    public internal(set) var hidden: [HiddenUnit] = []
    /// A sentence each, about the cache.
    public internal(set) var warnings: [String] = []
}

/// How far a scan has got.
public struct ScanProgress: Hashable, Sendable {
    public let doneCount: Int
    public let totalCount: Int
}
