// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A library or folder that may hold classic plug-ins, and the outcome of its scan. Any thread.

import AudioUnits

/// A library or folder that may hold plug-ins of a classic format.
struct ScanLocation: Hashable, Sendable {
    let format: PluginFormat
    let path: String
    /// The executable of the format's bridge, which lists the plug-ins.
    let bridgePath: String
}

/// The result of scanning a location.
enum ScanOutcome: Hashable, Sendable {
    case listing(UnitListing)
    /// The location cannot be used, for this reason; it follows a colon.
    case failure(String)
    /// No bridge was asked, for this reason.
    ///
    /// The location is not to blame, and the next scan asks again.
    case unasked(String)
}

/// A location as it was at its scan, with the outcome.
struct ScannedLocation: Hashable, Sendable {
    var location: ScanLocation
    var stamp: FileStamp
    /// The stamp of the bridge and of the files that it reads beside the locations.
    ///
    /// Another bridge may find more.
    var bridgeStamp: FileStamp
    var outcome: ScanOutcome
}
