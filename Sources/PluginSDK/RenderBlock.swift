// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a kernel is handed to render: a stretch of frames in which no event lies. Render thread.

import ControlMessages
import Wire

/// Where the song stands at the first frame of a block.
public struct TransportState {
    public internal(set) var isPlaying = false
    /// Quarter notes a minute.
    public internal(set) var tempo = 0.0
    /// Quarter notes since the start of the song.
    public internal(set) var beatPosition = 0.0
    var numerator: UInt16 = 0
    var denominator: UInt16 = 0

    public var timeSignatureNumerator: Int {
        @_noLocks get { Int(numerator) }
    }
    public var timeSignatureDenominator: Int {
        @_noLocks get { Int(denominator) }
    }

    init() {}
}

/// A stretch of frames to render. Every frame of every output channel must be written.
///
/// `[render]` Valid during the call only: the next block is told of in the same memory. An input bus that is not connected has no
/// channels.
@frozen
public struct RenderBlock {
    /// What a block tells. It stays where it is, and only what differs from block to block is written anew: a copy for each call
    /// on the way to the kernel would take longer than some kernels.
    @usableFromInline struct Content {
        @usableFromInline let inputBuses: UnsafePointer<AudioBlock>
        @usableFromInline let outputBuses: UnsafePointer<AudioBlock>
        @usableFromInline let inputBusCount: Int
        @usableFromInline let outputBusCount: Int
        @usableFromInline let emitter: EventEmitter
        @usableFromInline var sampleTime: Int64 = 0
        @usableFromInline var transport = TransportState()
        @usableFromInline var isOffline = false
    }

    @usableFromInline let content: UnsafePointer<Content>

    @_noLocks
    init(_ content: UnsafePointer<Content>) { self.content = content }

    public var inputBusCount: Int {
        @inlinable @_noLocks get { content.pointee.inputBusCount }
    }
    public var outputBusCount: Int {
        @inlinable @_noLocks get { content.pointee.outputBusCount }
    }

    /// Frames since rendering started, at the first frame of this block.
    public var sampleTime: Int64 {
        @inlinable @_noLocks get { content.pointee.sampleTime }
    }
    public var transport: TransportState {
        @inlinable @_noLocks get { content.pointee.transport }
    }
    /// Nobody waits: quality may go before speed.
    public var isOffline: Bool {
        @inlinable @_noLocks get { content.pointee.isOffline }
    }

    /// Frames to write.
    public var frameCount: Int {
        @inlinable @_noLocks get { output.frameCount }
    }

    /// Input bus 0.
    public var input: AudioBlock {
        @inlinable @_noLocks get { content.pointee.inputBuses[0] }
    }

    /// Output bus 0.
    public var output: AudioBlock {
        @inlinable @_noLocks get { content.pointee.outputBuses[0] }
    }

    /// Any input bus; the caller keeps `bus` below `inputBusCount`.
    @inlinable @_noLocks public func input(_ bus: Int) -> AudioBlock { content.pointee.inputBuses[bus] }

    /// Any output bus; the caller keeps `bus` below `outputBusCount`.
    @inlinable @_noLocks public func output(_ bus: Int) -> AudioBlock { content.pointee.outputBuses[bus] }

    /// Tells the host a value that the unit changed itself (a meter, a learnt value), `frame` frames into the block.
    @_noLocks public func emitParameter(_ address: UInt64, value: Double, atFrame frame: Int = 0) {
        content.pointee.emitter.emit(ParameterChange(address: address, value: value), at: sampleTime &+ Int64(frame))
    }

    /// Sends a MIDI message to the host, `frame` frames into the block.
    @_noLocks public func emitMIDI(_ message: MIDIMessage, atFrame frame: Int = 0) {
        content.pointee.emitter.emit(RenderEvent.midi(message).wireEvent(at: sampleTime &+ Int64(frame)))
    }
}
