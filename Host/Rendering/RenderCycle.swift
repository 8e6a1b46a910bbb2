// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One render cycle as a driver hands it to the plan. Render thread.

import Realtime

/// The song position and tempo at the first frame of a cycle.
public struct Transport {
    /// Whether the song plays.
    public var isPlaying: Bool
    /// The tempo in beats (quarter notes) a minute.
    public var tempo: Double
    /// The beats since the start of the song.
    public var beatPosition: Double
    /// The beats in a bar, of the length that the denominator names.
    public var timeSignatureNumerator: UInt16
    /// The note value of those beats: 4 is a quarter note.
    public var timeSignatureDenominator: UInt16

    /// `[any]` A transport with these values; without arguments, 4/4 at 120 beats a minute.
    @_noLocks
    public init(
        isPlaying: Bool = true, tempo: Double = 120, beatPosition: Double = 0,
        timeSignatureNumerator: UInt16 = 4, timeSignatureDenominator: UInt16 = 4
    ) {
        self.isPlaying = isPlaying
        self.tempo = tempo
        self.beatPosition = beatPosition
        self.timeSignatureNumerator = timeSignatureNumerator
        self.timeSignatureDenominator = timeSignatureDenominator
    }
}

/// A driver's request for `outputs.frameCount` frames.
public struct RenderCycle {
    /// The frames since rendering started, at the first frame of this cycle.
    ///
    /// A driver counts from its own start; the steps of a plan see the count from the player's first plan.
    public var sampleTime: Int64
    /// When the cycle began, in CLOCK_MONOTONIC nanoseconds.
    public var hostTime: UInt64
    /// The rate of this cycle in frames a second.
    public var sampleRate: Double
    /// The song position at the first frame.
    public var transport: Transport
    /// Whether the cycle has no deadline: the caller waits as long as it takes.
    public var isOffline: Bool
    /// The CLOCK_MONOTONIC nanoseconds from which the plan counts the cycle's length.
    ///
    /// Zero where no plan renders the cycle.
    public internal(set) var renderStart: UInt64 = 0
    /// The nanoseconds that the later steps of the plan usually take; a step that waits leaves these over.
    ///
    /// Zero where no plan renders the cycle.
    public internal(set) var reservedNanoseconds: UInt64 = 0
    /// The nanoseconds that the step itself usually takes, with those that begin together with it.
    public internal(set) var usualNanoseconds: UInt64 = 0
    /// What the driver recorded; no channels without inputs.
    ///
    /// Read only: the memory may be shared.
    public var inputs: AudioBlock
    /// What the plan fills: every frame of every channel.
    public var outputs: AudioBlock

    /// The frames to render.
    public var frameCount: Int {
        @_noLocks get { outputs.frameCount }
    }

    /// `[any]` A cycle with these values.
    @_noLocks
    public init(
        sampleTime: Int64, hostTime: UInt64, sampleRate: Double, transport: Transport, isOffline: Bool,
        inputs: AudioBlock, outputs: AudioBlock
    ) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
        self.sampleRate = sampleRate
        self.transport = transport
        self.isOffline = isOffline
        self.inputs = inputs
        self.outputs = outputs
    }
}
