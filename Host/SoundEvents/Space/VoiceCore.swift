// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound at a place on the render thread: its sleep, its cells, the call of its processor. Render thread.

import Realtime
import Rendering
import Spatial

/// A way of a voice: its processor and its level.
struct VoiceSend {
    let function: ConnectionFunction
    private let level: Double
    /// The gain that follows a parameter.
    private let stage: UnsafePointer<StageCore>?

    init(_ function: ConnectionFunction, level: Double, _ stage: UnsafePointer<StageCore>?) {
        (self.function, self.level, self.stage) = (function, level, stage)
    }

    /// `[render]` True if the gain differs between frames from one on.
    @_noLocks
    func isMoving(from frame: Int64) -> Bool { stage?.pointee.isMoving(from: frame) ?? false }

    /// `[render]` The gain at a frame.
    @_noLocks
    func gain(at frame: Int64) -> Float { Float(level * (stage?.pointee.value(at: frame) ?? 1)) }
}

/// A voice at a place.
///
/// `[render]` throughout. It sleeps before its sound, behind it, while it pauses, and while it is culled: then nothing is calculated. All
/// of that depends on frames alone, so blocks of any length have the same bits.
struct VoiceCore {
    /// The frames after a sound for which a voice stays awake, so that all filters have rung out.
    private static var tailFrameCount: Int64 { @_noLocks get { 1536 } }

    /// The channels that the voice gets.
    let channelCount: Int
    private let direct: VoiceSend?
    private let room: VoiceSend?
    private let source: UnsafeMutablePointer<EmitterCore>?
    private let listener: UnsafeMutablePointer<EmitterCore>
    private let cullMetres: Double
    /// True if nothing is heard in the present cell.
    private(set) var isCulled = false
    /// The frame after the present cell.
    private var cellEnd = Int64.min
    /// True while filters would be heard, or there is sound.
    private(set) var isAwake = false
    /// The frame after the last sound.
    private var soundEnd: Int64 = 0

    init(_ direct: VoiceSend?, _ room: VoiceSend?, _ place: VoicePlace) {
        (self.direct, self.room, channelCount, cullMetres) = (direct, room, place.channelCount, place.cullMetres)
        (source, listener) = (place.source?.core, place.listener.core)
    }

    /// Counts as a voice of its source and its listener, or no longer.
    @_noLocks
    func hold(_ isHeld: Bool) {
        source?.pointee.voiceCount &+= isHeld ? 1 : -1
        listener.pointee.voiceCount &+= isHeld ? 1 : -1
    }

    @_noLocks
    func isGainMoving(from frame: Int64) -> Bool {
        listener.pointee.gain.isMoving(from: frame) || source?.pointee.gain.isMoving(from: frame) ?? false
    }

    /// The gains of source and listener.
    @_noLocks
    func gain(at frame: Int64) -> Double { listener.pointee.gain.value(at: frame) * (source?.pointee.gain.value(at: frame) ?? 1) }

    /// Begins a run of frames that are all culled, or all heard; returns the frame of the block after it.
    @_noLocks
    mutating func run(from start: Int, to end: Int, at time: Int64) -> Int {
        guard cullMetres < .infinity else { return end }
        let (first, last) = (time &+ Int64(start), time &+ Int64(end))
        if first >= cellEnd { (isCulled, cellEnd) = (isBeyond(at: first), first &+ Int64(SpatialCell.frameCount)) }
        while cellEnd < last, isBeyond(at: cellEnd) == isCulled { cellEnd &+= Int64(SpatialCell.frameCount) }
        return Int(min(last, cellEnd) &- time)
    }

    /// True if source and listener are too far apart at both ends of a cell.
    @_noLocks
    private func isBeyond(at frame: Int64) -> Bool {
        metres(at: Double(frame)) >= cullMetres && metres(at: Double(frame &+ Int64(SpatialCell.frameCount))) >= cullMetres
    }

    /// The distance between both ends at a frame; 0 for a bed.
    @_noLocks
    func metres(at frame: Double) -> Double {
        guard let source else { return 0 }
        let way = source.pointee.motion.pointee.place(at: frame) - listener.pointee.motion.pointee.place(at: frame)
        return Maths.sqrt((way * way).sum())
    }

    /// Plays frames of the space's block, which hold sound.
    @_noLocks
    mutating func play(
        _ space: UnsafeMutablePointer<SpaceCore>, from start: Int, to end: Int, into output: UnsafeMutablePointer<BusAudio>
    ) {
        guard start < end else { return }
        soundEnd = space.pointee.time &+ Int64(end)
        send(space, start..<end, isSilent: false, into: output)
        isAwake = true
    }

    /// Lets the sound ring out in frames without any, and falls asleep.
    @_noLocks
    mutating func rest(
        _ space: UnsafeMutablePointer<SpaceCore>, from start: Int, to end: Int, into output: UnsafeMutablePointer<BusAudio>
    ) {
        guard isAwake, start < end else { return }
        let time = space.pointee.time
        let sleep = soundEnd &+ Self.tailFrameCount
        let last = Int(max(Int64(start), min(Int64(end), sleep &- time)))
        if start < last { send(space, start..<last, isSilent: true, into: output) }
        if sleep <= time &+ Int64(end) { isAwake = false }
    }

    /// Sends frames on all ways.
    @_noLocks
    private func send(
        _ space: UnsafeMutablePointer<SpaceCore>, _ frames: Range<Int>, isSilent: Bool, into output: UnsafeMutablePointer<BusAudio>
    ) {
        if let direct {
            space.pointee.process(direct, channelCount, frames, isSilent: isSilent, isUnheard: !isAwake, into: output)
        }
        if let room, let bus = space.pointee.room {
            space.pointee.process(room, channelCount, frames, isSilent: isSilent, isUnheard: !isAwake, into: bus)
        }
    }
}
