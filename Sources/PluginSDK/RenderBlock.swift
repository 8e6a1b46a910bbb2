// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a kernel is handed to render: a stretch of frames in which no event lies. Render thread.

import ControlMessages
import Wire

/// Where the song stands at the first frame of a block.
public struct TransportState {
    public let isPlaying: Bool
    /// Quarter notes a minute.
    public let tempo: Double
    /// Quarter notes since the start of the song.
    public let beatPosition: Double
    private let numerator: UInt16
    private let denominator: UInt16

    public var timeSignatureNumerator: Int {
        @_noLocks get { Int(numerator) }
    }
    public var timeSignatureDenominator: Int {
        @_noLocks get { Int(denominator) }
    }

    @_noLocks
    init(
        isPlaying: Bool, tempo: Double, beatPosition: Double, timeSignatureNumerator: UInt16, timeSignatureDenominator: UInt16
    ) {
        (self.isPlaying, self.tempo, self.beatPosition) = (isPlaying, tempo, beatPosition)
        (numerator, denominator) = (timeSignatureNumerator, timeSignatureDenominator)
    }
}

/// A stretch of frames to render. Every frame of every output channel must be written.
///
/// `[render]` Valid during the call only. An input bus that is not connected has no channels.
// Up to 128 bytes are copied without a call of the C library's function, which little else in a block needs.
public struct RenderBlock {
    let inputBuses: UnsafePointer<AudioBlock>
    let outputBuses: UnsafePointer<AudioBlock>
    let emitter: EventEmitter
    private let ownInputBusCount: UInt8
    private let ownOutputBusCount: UInt8
    /// Frames since rendering started, at the first frame of this block.
    public let sampleTime: Int64
    public let transport: TransportState
    /// Nobody waits: quality may go before speed.
    public let isOffline: Bool

    @_noLocks
    init(
        inputBuses: UnsafePointer<AudioBlock>, outputBuses: UnsafePointer<AudioBlock>, emitter: EventEmitter,
        inputBusCount: Int, outputBusCount: Int, sampleTime: Int64, transport: TransportState, isOffline: Bool
    ) {
        self.inputBuses = inputBuses
        self.outputBuses = outputBuses
        self.emitter = emitter
        ownInputBusCount = UInt8(truncatingIfNeeded: inputBusCount)
        ownOutputBusCount = UInt8(truncatingIfNeeded: outputBusCount)
        self.sampleTime = sampleTime
        self.transport = transport
        self.isOffline = isOffline
    }

    public var inputBusCount: Int {
        @_noLocks get { Int(ownInputBusCount) }
    }
    public var outputBusCount: Int {
        @_noLocks get { Int(ownOutputBusCount) }
    }

    /// Frames to write.
    public var frameCount: Int {
        @_noLocks get { output.frameCount }
    }

    /// Input bus 0.
    public var input: AudioBlock {
        @_noLocks get { inputBuses[0] }
    }

    /// Output bus 0.
    public var output: AudioBlock {
        @_noLocks get { outputBuses[0] }
    }

    /// Any input bus; the caller keeps `bus` below `inputBusCount`.
    @_noLocks public func input(_ bus: Int) -> AudioBlock { inputBuses[bus] }

    /// Any output bus; the caller keeps `bus` below `outputBusCount`.
    @_noLocks public func output(_ bus: Int) -> AudioBlock { outputBuses[bus] }

    /// Tells the host a value that the unit changed itself (a meter, a learnt value), `frame` frames into the block.
    @_noLocks public func emitParameter(_ address: UInt64, value: Double, atFrame frame: Int = 0) {
        emitter.emit(ParameterChange(address: address, value: value), at: sampleTime &+ Int64(frame))
    }

    /// Sends a MIDI message to the host, `frame` frames into the block.
    @_noLocks public func emitMIDI(_ message: MIDIMessage, atFrame frame: Int = 0) {
        emitter.emit(RenderEvent.midi(message).wireEvent(at: sampleTime &+ Int64(frame)))
    }
}
