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

    /// The lengths at a sample rate; the share is 0 to 1, and a smaller one needs less of the sound ahead.
    ///
    /// `slowness` is the rate of the time, divided by that of the pitch. A sound that is moved by a frame of a slow grain is early or late
    /// by less than a frame. So slow grains may be moved farther, and low tones, whose periods are long there, keep their pitch.
    @_noLocks
    init(sampleRate: Double, slowness: Double, share: Double) {
        let unit = max(1, sampleRate / 1000)
        // Cannot trap: all factors are finite.
        body = max(16, Int(24 * unit * share))
        fade = max(8, Int(8 * unit * share))
        let most = max(7.5, min(15, 10 * slowness)) * unit
        (before, after) = (Int(most), Int(most * share))
    }

    /// The longest of all lengths at a sample rate.
    @_noLocks
    static func longest(sampleRate: Double) -> GrainLengths { GrainLengths(sampleRate: sampleRate, slowness: 2, share: 1) }

    /// The frames from the beginning of a grain to its middle.
    var middle: Int { @_noLocks get { (body &+ fade) / 2 } }
    /// All frames that are read for a grain.
    var frameCount: Int { @_noLocks get { before &+ after &+ body &+ fade } }
    /// The frames that must be known beyond the middle of a grain.
    var framesAhead: Int { @_noLocks get { middle &+ after &+ 2 } }
}
