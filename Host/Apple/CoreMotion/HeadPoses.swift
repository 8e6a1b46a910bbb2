// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The source of poses that all managers of the process share. Any thread.

import Foundation
import Synchronization

/// The source of poses that all managers share.
enum HeadPoses {
    private struct State {
        var source = ProcessInfo.processInfo.environment["BULKHEAD_HEAD_POSES"].flatMap { $0.isEmpty ? nil : CMHeadPoseSource($0) }
        var feed: HeadPoseFeed?
    }

    private static let state = Mutex(State())

    /// The source; a change ends the poses of the former one.
    static var source: CMHeadPoseSource? {
        get { state.withLock { $0.source } }
        set {
            let former = state.withLock { state in
                defer { (state.source, state.feed) = (newValue, nil) }
                return state.feed
            }
            former?.end()
        }
    }

    /// The poses of the source, which the first call opens.
    static func feed() throws(HeadPoseFault) -> HeadPoseFeed {
        try state.withLock { state throws(HeadPoseFault) in
            if let feed = state.feed { return feed }
            guard let source = state.source else { throw .noSource }
            let feed = try HeadPoseFeed(source)
            state.feed = feed
            return feed
        }
    }
}

/// The reason why no poses can come.
struct HeadPoseFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static let noSource = HeadPoseFault(
        "No head tracker is here. Set BULKHEAD_HEAD_POSES to osc:PORT, or to a file of poses.")

    /// The error as programs for Apple's systems expect it.
    var error: NSError {
        NSError(
            domain: CMErrorDomain, code: Int(CMErrorNotAvailable.rawValue), userInfo: [NSLocalizedDescriptionKey: description])
    }
}
