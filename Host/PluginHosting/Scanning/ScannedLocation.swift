// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A library or folder where classic plug-ins may be, and what a scan found there. Any thread.

import AudioUnits

/// Where plug-ins of a classic format may be: a library, a folder.
struct ScanLocation: Hashable, Sendable {
    let format: PluginFormat
    let path: String
    /// Who is asked: the executable of the format's bridge.
    let bridgePath: String
}

/// What came of asking about a place.
enum ScanOutcome: Hashable, Sendable {
    case listing(UnitListing)
    /// Why nothing can be said of it, to follow a colon.
    case failure(String)
    /// Nobody was asked, for this reason; it is no fault of the place, and the next scan asks again.
    case unasked(String)
}

/// A place as it was when it was scanned, and what was found.
struct ScannedLocation: Hashable, Sendable {
    var place: ScanLocation
    var stamp: FileStamp
    /// That of the bridge which was asked, and of what it reads beside the places: it may find more now.
    var bridgeStamp: FileStamp
    var outcome: ScanOutcome
}
