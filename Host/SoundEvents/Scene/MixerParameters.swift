// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sources and the listeners of an event's mixers. Any thread.

/// Names the source and the listener for each spatial mixer of an event's tree, and the listener for each ambient one.
public struct MixerParameters: Sendable {
    struct Ends: Sendable {
        let source: SceneSource?
        let listener: SceneListener
    }

    private(set) var ends: [String: Ends] = [:]

    /// Makes parameters for trees whose mixers are channel mixers.
    public init() {}

    /// Names the source and the listener for a spatial mixer.
    public mutating func add(_ source: SceneSource, heardBy listener: SceneListener, mixer: String) {
        ends[mixer] = Ends(source: source, listener: listener)
    }

    /// Names the listener for an ambient mixer.
    public mutating func add(_ listener: SceneListener, mixer: String) { ends[mixer] = Ends(source: nil, listener: listener) }
}
