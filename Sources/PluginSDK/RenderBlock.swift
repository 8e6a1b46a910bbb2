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
    public let timeSignatureNumerator: Int
    public let timeSignatureDenominator: Int

    @_noLocks
    init(
        isPlaying: Bool, tempo: Double, beatPosition: Double, timeSignatureNumerator: Int, timeSignatureDenominator: Int
    ) {
        (self.isPlaying, self.tempo, self.beatPosition) = (isPlaying, tempo, beatPosition)
        self.timeSignatureNumerator = timeSignatureNumerator
        self.timeSignatureDenominator = timeSignatureDenominator
    }
}

/// A stretch of frames to render. Every frame of every output channel must be written.
///
/// `[render]` Valid during the call only. An input bus that is not connected has no channels.
public struct RenderBlock {
    let inputBuses: UnsafePointer<AudioBlock>
    let outputBuses: UnsafePointer<AudioBlock>
    let emitter: EventEmitter
    public let inputBusCount: Int
    public let outputBusCount: Int
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
        self.inputBusCount = inputBusCount
        self.outputBusCount = outputBusCount
        self.sampleTime = sampleTime
        self.transport = transport
        self.isOffline = isOffline
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
