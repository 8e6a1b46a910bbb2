// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames that a sound plays, and its place in them. Render thread.

import Realtime

/// An asset in memory or a stream, and the place in it.
///
/// `[render]` throughout.
struct LeafSource {
    /// The samples of each channel: of the whole asset, or of a stream's window.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The length of an asset.
    private let frameCount: Int
    private let isLooping: Bool
    /// The length of a streamed asset; 0 for what cannot be sought in.
    private let fileLength: Int
    /// The stream; nil for an asset in memory.
    private let stream: UnsafeMutablePointer<StreamCore>?
    /// The frames to a frame of the engine at the source's own speed.
    let pace: Double
    /// The place in frames.
    private(set) var place = 0.0
    private(set) var hasEnded = false

    init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, isLooping: Bool) {
        (self.channels, self.frameCount, self.isLooping, stream, pace) = (channels, frameCount, isLooping, nil, 1)
        fileLength = 0
    }

    /// A stream, or a streamed asset of so many frames; the places of a loop go on beyond them.
    init(_ stream: UnsafeMutablePointer<StreamCore>, pace: Double, fileLength: Int = 0, fileLoops: Bool = true) {
        (self.stream, self.pace, self.fileLength, isLooping) = (stream, pace, fileLength, false)
        frameCount = fileLoops ? .max : fileLength
        channels = UnsafePointer(stream.pointee.channels)
    }

    /// True if the place is that of a frame.
    var isAtFrame: Bool { @_noLocks get { place == Maths.floor(place) } }

    /// Goes to a frame; beyond the end the sound ends, or wraps if it loops.
    ///
    /// A stream stays as it is.
    @_noLocks
    mutating func seek(toFrame frame: Double) {
        guard stream == nil else { return seekInFile(frame) }
        let length = Double(frameCount)
        if isLooping {
            place = max(0, frame - Maths.floor(frame / length) * length)
            if place >= length { place = 0 }
        } else {
            place = max(0, min(frame, length))
            hasEnded = place >= length
        }
    }

    @_noLocks
    private mutating func seekInFile(_ frame: Double) {
        guard let stream, fileLength > 0 else { return }
        let length = Double(fileLength)
        var goal = Maths.floor(max(0, min(frame, 0x1p52)))
        if frameCount == .max {
            goal -= Maths.floor(goal / length) * length
        } else if goal >= length {
            (place, hasEnded) = (length, true)
            return
        }
        place = goal
        // Cannot trap: below the length.
        stream.pointee.seek(toFrame: Int(goal))
    }

    /// Begins at a share of the whole, at a frame.
    @_noLocks
    mutating func seek(toShare share: Double) {
        seek(toFrame: Maths.floor(share * Double(stream == nil ? frameCount : fileLength)))
    }

    /// Reads on where the place is, after it has moved without being read.
    @_noLocks
    mutating func readOn() { if stream != nil { seekInFile(place) } }

    /// Moves a stream on to the place, which was passed without a sound.
    @_noLocks
    func follow() {
        guard let stream else { return }
        // Cannot trap: a stream does not last 2⁵³ frames.
        let frame = Int(place)
        stream.pointee.prepare(at: frame, upTo: frame)
    }

    /// The frames from a whole place on that can be passed at once, up to so many.
    @_noLocks
    func passable(_ count: Int) -> Int {
        // Cannot trap: a place is within the asset.
        stream == nil ? min(count, frameCount &- Int(place)) : count
    }

    /// The frames that lie one after the other in `channels` from the place on, up to so many; the place is that of a frame.
    @_noLocks
    func run(_ count: Int) -> (first: Int, count: Int) {
        // Cannot trap: a place is within the asset, and a stream does not last 2⁵³ frames.
        let first = Int(place)
        let left = min(count, frameCount &- first)
        return stream?.pointee.run(from: first, left) ?? (first, left)
    }

    /// Writes the weights of the frames around the place, for `sample`.
    @_noLocks
    func weigh(stretch: Double, _ weights: UnsafeMutablePointer<Float>, _ reader: UnsafePointer<AssetReader>) {
        if let stream {
            // Cannot trap: a stream does not last 2⁵³ frames.
            let frame = Int(place)
            stream.pointee.prepare(at: frame, upTo: frame &+ AssetReader.mostWeights / 2 &+ 1)
        }
        reader.pointee.weigh(windowPlace, stretch: stretch, weights)
    }

    /// The place in `channels`.
    private var windowPlace: Double {
        @_noLocks get { stream.map { place - Double($0.pointee.base) } ?? place }
    }

    /// The sound of a channel between frames, at the place.
    @_noLocks
    func sample(_ channel: Int, stretch: Double, _ weights: UnsafePointer<Float>, _ reader: UnsafePointer<AssetReader>) -> Float {
        let count = stream?.pointee.count ?? frameCount
        return reader.pointee.sample(channels[channel], count, isLooping, windowPlace, stretch: stretch, weights)
    }

    /// Moves on; a sound that does not loop ends at its end.
    @_noLocks
    mutating func advance(_ frames: Double) {
        place += frames
        guard place >= Double(frameCount) else { return }
        guard isLooping else {
            hasEnded = true
            return
        }
        // A step may be longer than a short sound.
        while place >= Double(frameCount) { place -= Double(frameCount) }
    }

    /// True if it can end within so many frames of the engine at the greatest speed.
    @_noLocks
    func canEnd(within frames: Int64) -> Bool { !isLooping && Double(frameCount) - place <= 4 * pace * Double(frames) }
}
