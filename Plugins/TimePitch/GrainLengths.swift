// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lengths of a grain and of the search for its place, in frames. Render thread.

import PluginSDK

/// How long a grain is heard, how long it fades, and how far from its own place it may be read.
///
/// A grain is read at the speed of the pitch, so a sound at its edges is early or late. Short grains keep that below 15 ms. They still hold
/// a period of the lowest tones, which the search needs.
struct GrainLengths {
    /// The frames from the beginning of one grain to that of the next.
    let body: Int
    /// The frames of a crossfade.
    let fade: Int
    /// The frames that a grain may be read earlier, and later.
    let before: Int
    let after: Int

    /// The full lengths at a sample rate.
    init(sampleRate: Double) {
        let unit = max(1, sampleRate / 1000)
        (body, fade, before, after) = (Int(24 * unit), Int(8 * unit), Int(7.5 * unit), Int(7.5 * unit))
    }

    /// Shorter grains, which need less of the sound ahead; the share is 0 to 1.
    @_noLocks
    init(_ full: GrainLengths, share: Double) {
        body = max(16, Int(Double(full.body) * share))
        fade = max(8, Int(Double(full.fade) * share))
        (before, after) = (full.before, Int(Double(full.after) * share))
    }

    /// The frames from the beginning of a grain to its middle.
    var middle: Int { @_noLocks get { (body &+ fade) / 2 } }
    /// All frames that are read for a grain.
    var frameCount: Int { @_noLocks get { before &+ after &+ body &+ fade } }
}
