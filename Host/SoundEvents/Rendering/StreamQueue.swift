// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The scheduled buffers of a push stream. Render thread; before the start the thread that has the lock.

import Realtime
import Synchronization

/// A scheduled buffer on the render thread.
struct StreamItemCore: ~Copyable {
    /// The ends of a buffer, as numbers in `outcome`.
    enum Outcome {
        static var none: UInt8 { @_noLocks get { 0 } }
        static var rendered: UInt8 { @_noLocks get { 1 } }
        static var stopped: UInt8 { @_noLocks get { 2 } }
    }

    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let frameCount: Int
    var loops: Bool
    let options: StreamBufferOptions
    var next: UnsafeMutablePointer<StreamItemCore>?
    /// The end, once the render thread has let go of the buffer.
    let outcome = Atomic<UInt8>(0)

    init(channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int, options: StreamBufferOptions) {
        (self.channels, self.frameCount, self.options) = (channels, frameCount, options)
        loops = options.rawValue & StreamBufferOptions.loops.rawValue != 0
        interrupts = options.rawValue & StreamBufferOptions.interrupts.rawValue != 0
        interruptsAtLoop = options.rawValue & StreamBufferOptions.interruptsAtLoop.rawValue != 0
    }

    let interrupts: Bool
    let interruptsAtLoop: Bool
}

/// The buffers that play and wait, in their order.
struct StreamQueue {
    typealias Item = UnsafeMutablePointer<StreamItemCore>

    private var first: Item?
    private var last: Item?
    private var position = 0

    @_noLocks init() {}

    /// Adds a buffer; it may take the places of others.
    @_noLocks
    mutating func add(_ item: Item) {
        if item.pointee.interrupts {
            while first != nil { finish(StreamItemCore.Outcome.stopped) }
        } else if item.pointee.interruptsAtLoop, let playing = first {
            playing.pointee.loops = false
            while let waiting = playing.pointee.next {
                playing.pointee.next = waiting.pointee.next
                waiting.pointee.outcome.store(StreamItemCore.Outcome.stopped, ordering: .releasing)
            }
            last = playing
        }
        if let last { last.pointee.next = item } else { first = item }
        last = item
    }

    /// Adds frames to a silent block; returns the number of those that are missing.
    @_noLocks
    mutating func fill(_ block: AudioBlock) -> Int {
        var frame = 0
        while frame < block.frameCount, let item = first {
            let count = min(block.frameCount &- frame, item.pointee.frameCount &- position)
            for channel in 0..<block.channelCount {
                let (from, to) = (item.pointee.channels[channel] + position, block[channel] + frame)
                for index in 0..<count { to[index] = from[index] }
            }
            frame &+= count
            position &+= count
            guard position == item.pointee.frameCount else { break }
            if item.pointee.loops { position = 0 } else { finish(StreamItemCore.Outcome.rendered) }
        }
        return block.frameCount &- frame
    }

    /// Ends the playing buffer.
    @_noLocks
    private mutating func finish(_ outcome: UInt8) {
        guard let item = first else { return }
        (first, position) = (item.pointee.next, 0)
        if first == nil { last = nil }
        // Release: another thread frees the buffer after it has seen this.
        item.pointee.outcome.store(outcome, ordering: .releasing)
    }
}
