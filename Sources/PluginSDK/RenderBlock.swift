// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input of a kernel's render call: a stretch of frames without events. Render thread.

import ControlMessages
import Wire

/// The position in the song at the first frame of a block.
public struct TransportState {
    /// True if the transport runs.
    public internal(set) var isPlaying = false
    /// The tempo in quarter notes a minute.
    public internal(set) var tempo = 0.0
    /// The position in quarter notes since the start of the song.
    public internal(set) var beatPosition = 0.0
    var numerator: UInt16 = 0
    var denominator: UInt16 = 0

    /// `[render]` The number of beats in a bar.
    public var timeSignatureNumerator: Int {
        @_noLocks get { Int(numerator) }
    }
    /// `[render]` The note value of a beat: 4 for quarter notes, 8 for eighth notes.
    public var timeSignatureDenominator: Int {
        @_noLocks get { Int(denominator) }
    }

    init() {}
}

/// A stretch of frames to render, in which no event lies.
///
/// Write every frame of every output channel.
///
/// `[render]` Use the block only during the call: the next call describes another block in the same memory. A bus that is not
/// connected when resources are allocated has no channels. A bus that the host disconnects later keeps its channels, silent.
@frozen
public struct RenderBlock {
    /// The contents of a block.
    ///
    /// They stay at one address, and only changes since the last block are written. A copy for each call on the way to the
    /// kernel would take longer than some kernels do.
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

    /// `[render]` The number of input buses.
    public var inputBusCount: Int {
        @inlinable @_noLocks get { content.pointee.inputBusCount }
    }
    /// `[render]` The number of output buses.
    public var outputBusCount: Int {
        @inlinable @_noLocks get { content.pointee.outputBusCount }
    }

    /// `[render]` The sample time of the first frame: the number of frames since rendering started.
    public var sampleTime: Int64 {
        @inlinable @_noLocks get { content.pointee.sampleTime }
    }
    /// `[render]` The position in the song at the first frame.
    public var transport: TransportState {
        @inlinable @_noLocks get { content.pointee.transport }
    }
    /// `[render]` True if the host renders offline, so that quality may come before speed.
    public var isOffline: Bool {
        @inlinable @_noLocks get { content.pointee.isOffline }
    }

    /// `[render]` The number of frames to write.
    public var frameCount: Int {
        @inlinable @_noLocks get { output.frameCount }
    }

    /// `[render]` Input bus 0; its frame count differs from the output's only in a unit that stretches time.
    public var input: AudioBlock {
        @inlinable @_noLocks get { content.pointee.inputBuses[0] }
    }

    /// `[render]` Output bus 0.
    public var output: AudioBlock {
        @inlinable @_noLocks get { content.pointee.outputBuses[0] }
    }

    /// `[render]` An input bus; `bus` must be below `inputBusCount`.
    @inlinable @_noLocks public func input(_ bus: Int) -> AudioBlock { content.pointee.inputBuses[bus] }

    /// `[render]` An output bus; `bus` must be below `outputBusCount`.
    @inlinable @_noLocks public func output(_ bus: Int) -> AudioBlock { content.pointee.outputBuses[bus] }

    /// `[render]` Sends the host a value that the unit changed itself, such as a meter, `frame` frames into the block.
    ///
    /// An event that finds no room is dropped and counted; the host learns the number.
    @_noLocks public func emitParameter(_ address: UInt64, value: Double, atFrame frame: Int = 0) {
        content.pointee.emitter.emit(ParameterChange(address: address, value: value), at: sampleTime &+ Int64(frame))
    }

    /// `[render]` Sends the host a MIDI message, `frame` frames into the block.
    ///
    /// An event that finds no room is dropped and counted; the host learns the number.
    @_noLocks public func emitMIDI(_ message: MIDIMessage, atFrame frame: Int = 0) {
        content.pointee.emitter.emit(RenderEvent.midi(message).wireEvent(at: sampleTime &+ Int64(frame)))
    }

    /// `[render]` Tells the host of notes without a sound, and of programs that another one replaces, since the last call.
    ///
    /// The host adds the numbers up and tells its user.
    @_noLocks public func countUnplayed(notes: UInt32, programs: UInt32 = 0) {
        if notes > 0 || programs > 0 { content.pointee.emitter.countUnplayed(notes: notes, programs: programs) }
    }
}
