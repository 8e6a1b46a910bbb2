// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A started event on the render thread: its time, its sounds, its end. Render thread.

import Realtime
import Rendering
import Synchronization

/// The state of an event that both threads see, and what the render thread knows of it.
struct EventCore: ~Copyable {
    /// The reasons for an end, as numbers in `end`.
    enum End {
        static var none: UInt8 { @_noLocks get { 0 } }
        static var finished: UInt8 { @_noLocks get { 1 } }
        static var stopped: UInt8 { @_noLocks get { 2 } }
        static var dropped: UInt8 { @_noLocks get { 3 } }
    }

    let leaves: UnsafeMutablePointer<LeafCore>
    let leafCount: Int
    /// The reason for the end, for the render thread; 0 while the event waits or plays.
    private var end = End.none
    /// The same for other threads, set when the render thread has let go of the event.
    private let left = Atomic<UInt8>(0)
    /// The first frame of the sound; `.min` until it has begun.
    let beginning = Atomic<Int64>(.min)
    /// The frame asked for; `.min` for the next block.
    var startTime = Int64.min
    /// The rank under the limit on voices, beside those of the sounds.
    var priority = 0
    private var isPaused = false
    /// The event's own fades: at a pause, at a stop.
    private var fade = Ramp(1)
    /// The frame at which a fade to silence ends; nil for none.
    private var silenceTime: Int64?
    private var isStopping = false

    init(leaves: UnsafeMutablePointer<LeafCore>, leafCount: Int) { (self.leaves, self.leafCount) = (leaves, leafCount) }

    var isOver: Bool { @_noLocks get { end != End.none } }

    /// Takes the event in.
    @_noLocks
    mutating func arrive(_ time: Int64) {
        startTime = time
        for leaf in 0..<leafCount { leaves[leaf].way.voice?.pointee.hold(true) }
    }

    /// Lets go of the event, which is over.
    @_noLocks
    func leave() {
        for leaf in 0..<leafCount { leaves[leaf].way.voice?.pointee.hold(false) }
        // Release: another thread frees the memory after it has seen this.
        left.store(end, ordering: .releasing)
    }

    /// `[control]` Ends an event that no thread renders any more.
    func abandon() { left.store(End.stopped, ordering: .releasing) }

    /// `[any]` True if the render thread has let go of the event.
    var hasLeft: Bool { left.load(ordering: .acquiring) != End.none }

    /// `[any]` The reason for the end of an event that has left; nil before.
    var ending: SoundEvent.Ending? {
        switch left.load(ordering: .acquiring) {
        case End.none: nil
        case End.finished: .finished
        case End.dropped: .dropped
        default: .stopped
        }
    }

    /// Stops the sound within a fade; an event that has not begun ends at once.
    @_noLocks
    mutating func stop(at frame: Int64, over frameCount: Int64) {
        guard !isOver else { return }
        guard beginning.load(ordering: .relaxed) != .min else { return finish(End.stopped) }
        isStopping = true
        // A pause has begun its fade already.
        if !isPaused { fadeOut(at: frame, over: frameCount) }
    }

    @_noLocks
    mutating func pause(at frame: Int64, over frameCount: Int64) {
        guard !isPaused, !isStopping else { return }
        isPaused = true
        fadeOut(at: frame, over: frameCount)
    }

    @_noLocks
    private mutating func fadeOut(at frame: Int64, over frameCount: Int64) {
        fade.go(to: 0, at: frame, over: frameCount)
        silenceTime = frame &+ frameCount
    }

    @_noLocks
    mutating func resume(at frame: Int64, over frameCount: Int64) {
        guard isPaused, !isStopping else { return }
        (isPaused, silenceTime) = (false, nil)
        fade.go(to: 1, at: frame, over: frameCount)
    }

    @_noLocks
    mutating func seek(toFrame frame: Double) {
        for leaf in 0..<leafCount where leaves[leaf].isPlaying { leaves[leaf].seek(toFrame: frame) }
    }

    /// The frames in which the event sounds, from one frame on and before another, if its sounds do not end; nil for none.
    @_noLocks
    func extent(from frame: Int64, to end: Int64) -> (first: Int64, last: Int64)? {
        guard !isOver else { return nil }
        let first = beginning.load(ordering: .relaxed) == .min ? max(frame, startTime) : frame
        let last = min(end, silenceTime ?? end)
        return first < last ? (first, last) : nil
    }

    /// The frame before which the last of a ducker's sources ends that begin at frame `first`; `first` without a source.
    @_noLocks
    func end(of ducker: UnsafeMutablePointer<DuckerCore>, _ first: Int64, _ last: Int64) -> Int64 {
        var end = first
        for leaf in 0..<leafCount where leaves[leaf].isPlaying && ducker.pointee.hears(leaves[leaf].group) {
            end = max(end, leaves[leaf].end(from: first, to: last))
        }
        return end
    }

    /// Adds the sounds from one frame of a block, which begins at `time`, to another.
    @_noLocks
    mutating func render(
        _ output: UnsafeMutablePointer<BusAudio>, at time: Int64, from: Int, to end: Int, _ scratch: SceneScratch,
        _ reader: UnsafePointer<AssetReader>
    ) {
        guard !isOver else { return }
        var start = from
        if beginning.load(ordering: .relaxed) == .min {
            // A time that has passed begins now.
            let first = max(time &+ Int64(from), startTime)
            guard first < time &+ Int64(end) else { return }
            start = Int(first &- time)
            beginning.store(first, ordering: .relaxed)
        }
        let last = lastFrame(time, from: start, to: end)
        for leaf in 0..<leafCount { leaves[leaf].render(output, from: start, to: last, of: end, at: time, fade, scratch, reader) }
        var isStopped = false
        if isStopping, let silenceTime { isStopped = silenceTime <= time &+ Int64(end) }
        for leaf in 0..<leafCount where isStopped ? leaves[leaf].way.isAwake : leaves[leaf].isSounding { return }
        finish(isStopped ? End.stopped : isTaken ? End.dropped : End.finished)
    }

    /// True if the limit on voices has taken all sounds.
    private var isTaken: Bool {
        @_noLocks get {
            for leaf in 0..<leafCount where !leaves[leaf].life.isTaken { return false }
            return leafCount > 0
        }
    }

    /// The frame of the block before which the event falls silent; `end` if it does not.
    @_noLocks
    private func lastFrame(_ time: Int64, from start: Int, to end: Int) -> Int {
        guard let silenceTime else { return end }
        return Int(max(Int64(start), min(Int64(end), silenceTime &- time)))
    }

    @_noLocks
    private mutating func finish(_ reason: UInt8) { end = reason }
}
