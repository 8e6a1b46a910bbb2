// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames that a sound plays, and its place in them. Render thread.

import Realtime

/// An asset in memory, and the place in it.
///
/// `[render]` throughout.
struct LeafSource {
    /// The samples of each channel.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let frameCount: Int
    let isLooping: Bool
    /// The place in frames.
    private(set) var place = 0.0
    private(set) var hasEnded = false

    init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, isLooping: Bool) {
        (self.channels, self.frameCount, self.isLooping) = (channels, frameCount, isLooping)
    }

    /// True if the place is that of a frame.
    var isAtFrame: Bool { @_noLocks get { place == Maths.floor(place) } }

    /// Goes to a frame; beyond the end the sound ends, or wraps if it loops.
    @_noLocks
    mutating func seek(toFrame frame: Double) {
        let length = Double(frameCount)
        if isLooping {
            place = max(0, frame - Maths.floor(frame / length) * length)
            if place >= length { place = 0 }
        } else {
            place = max(0, min(frame, length))
            hasEnded = place >= length
        }
    }

    /// Begins at a share of the whole, at a frame.
    @_noLocks
    mutating func seek(toShare share: Double) { seek(toFrame: Maths.floor(share * Double(frameCount))) }

    /// The frames that lie one after the other from the place on, up to so many; the place is that of a frame.
    @_noLocks
    func run(_ count: Int) -> (first: Int, count: Int) {
        // Cannot trap: a place is within the asset.
        let first = Int(place)
        return (first, min(count, frameCount &- first))
    }

    /// The sound of a channel between frames, at the place.
    @_noLocks
    func sample(_ channel: Int, stretch: Double, _ weights: UnsafePointer<Float>, _ reader: UnsafePointer<AssetReader>) -> Float {
        reader.pointee.sample(channels[channel], frameCount, isLooping, place, stretch: stretch, weights)
    }

    /// Moves on; a sound that does not loop ends at its end.
    @_noLocks
    mutating func advance(_ frames: Double) {
        place += frames
        guard place >= Double(frameCount) else { return }
        if isLooping { place -= Double(frameCount) } else { hasEnded = true }
    }

    /// True if it can end within so many frames at the greatest speed.
    @_noLocks
    func canEnd(within frames: Int64) -> Bool { !isLooping && Double(frameCount) - place <= 4 * Double(frames) }
}
