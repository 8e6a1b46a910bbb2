// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One render cycle as a driver hands it to the plan. Render thread.

import Realtime

/// Where the song stands at the first frame of a cycle.
public struct Transport {
    public var isPlaying: Bool
    /// Beats (quarter notes) a minute.
    public var tempo: Double
    /// Beats since the start of the song.
    public var beatPosition: Double
    public var timeSignatureNumerator: UInt16
    public var timeSignatureDenominator: UInt16

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

/// What a driver asks for: `outputs.frameCount` frames, now.
public struct RenderCycle {
    /// Frames since rendering started, at the first frame of this cycle: since the driver started, for whom a
    /// driver calls; since its first plan, for the steps of a plan.
    public var sampleTime: Int64
    /// CLOCK_MONOTONIC nanoseconds at which the cycle began.
    public var hostTime: UInt64
    /// Frames a second in this cycle.
    public var sampleRate: Double
    public var transport: Transport
    /// No deadline: the caller waits as long as it takes.
    public var isOffline: Bool
    /// CLOCK_MONOTONIC nanoseconds from which the plan counts the cycle's length, and how many of those that are left its
    /// later steps usually take; both zero where no plan renders it. A step that waits keeps them back.
    public internal(set) var renderStart: UInt64 = 0
    public internal(set) var reservedNanoseconds: UInt64 = 0
    /// Nanoseconds that the step itself usually takes.
    public internal(set) var usualNanoseconds: UInt64 = 0
    /// What the driver recorded; no channels when it has no inputs. Read only: the memory may be others' too.
    public var inputs: AudioBlock
    /// What the plan fills, every frame of every channel.
    public var outputs: AudioBlock

    public var frameCount: Int {
        @_noLocks get { outputs.frameCount }
    }

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
