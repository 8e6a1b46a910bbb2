// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One render cycle, which a driver hands to the plan. Render thread.

import CRealtimeShims
import Realtime

/// The song position and tempo at the first frame of a cycle.
public struct Transport {
    /// True if the song plays.
    public var isPlaying: Bool
    /// The tempo in beats (quarter notes) a minute.
    public var tempo: Double
    /// The beats since the start of the song.
    public var beatPosition: Double
    /// The number of beats in a bar; the denominator is their note value.
    public var timeSignatureNumerator: UInt16
    /// The note value of those beats: 4 is a quarter note.
    public var timeSignatureDenominator: UInt16
    /// The beginning of the time signature, in beats since the start of the song: bars are counted from there.
    public var timeSignatureBeat: Double

    /// `[any]` Makes a transport with these values; without arguments, 4/4 at 120 beats a minute.
    @_noLocks
    public init(
        isPlaying: Bool = true, tempo: Double = 120, beatPosition: Double = 0,
        timeSignatureNumerator: UInt16 = 4, timeSignatureDenominator: UInt16 = 4, timeSignatureBeat: Double = 0
    ) {
        self.isPlaying = isPlaying
        self.tempo = tempo
        self.beatPosition = beatPosition
        self.timeSignatureNumerator = timeSignatureNumerator
        self.timeSignatureDenominator = timeSignatureDenominator
        self.timeSignatureBeat = timeSignatureBeat
    }
}

/// The relation between a cycle's clock and the driver's clock.
package struct DriverTiming {
    /// The driver's frame at the first frame of the cycle.
    package private(set) var driverTime: Int64 = 0
    private var driverStart: Int64 = 0
    private var start: Int64 = 0
    private var numerator: Int64 = 1
    private var denominator: Int64 = 1

    /// Makes the timing of the driver's own clock.
    @_noLocks init(driverTime: Int64 = 0) { self.driverTime = driverTime }

    /// Makes it a clock that counts `rate` frames for each of the driver's, from a pair of frames on.
    ///
    /// Without a pair both begin at 0.
    @_noLocks
    mutating func count(from origin: (driver: Int64, own: Int64)?, _ rate: (numerator: Int64, denominator: Int64)) {
        if let origin { (driverStart, start) = origin }
        (numerator, denominator) = rate
    }

    /// The frame of the cycle's clock for a frame of the driver's.
    @_noLocks
    package func time(ofDriverFrame frame: Int64) -> Int64 {
        start &+ CRealtimeShims_scaleUp(frame &- driverStart, numerator, denominator)
    }
}

/// A driver's request for `outputs.frameCount` frames.
public struct RenderCycle {
    /// The frames since rendering started, at the first frame of this cycle.
    ///
    /// A driver counts from its own start; the steps of a plan see the count from the player's first plan.
    public var sampleTime: Int64
    /// The time when the cycle began, in CLOCK_MONOTONIC nanoseconds.
    public var hostTime: UInt64
    /// The rate of this cycle in frames a second.
    public var sampleRate: Double
    /// The song position at the first frame.
    public var transport: Transport
    /// True if the cycle has no deadline: the caller waits as long as necessary.
    public var isOffline: Bool
    /// The CLOCK_MONOTONIC nanoseconds from which the plan counts the cycle's length.
    ///
    /// Zero if no plan renders the cycle.
    public internal(set) var renderStart: UInt64 = 0
    /// The nanoseconds that the later steps of the plan usually take; a step that waits leaves them this time.
    ///
    /// Zero if no plan renders the cycle.
    public internal(set) var reservedNanoseconds: UInt64 = 0
    /// The nanoseconds that the step usually takes, together with the steps that begin with it.
    public internal(set) var usualNanoseconds: UInt64 = 0
    /// The driver's frames as the cycle's own clock counts them.
    package internal(set) var timing = DriverTiming()
    /// The log of taken events; nil unless a program wants one.
    package internal(set) var log: UnsafePointer<EventLogCore>?
    /// The driver's recorded input; no channels without inputs.
    ///
    /// Read only: the memory may be shared. A channel may lie where a channel of `outputs` does, as in hosts that process in place.
    public var inputs: AudioBlock
    /// The output for the plan to fill: every frame of every channel.
    public var outputs: AudioBlock
    /// The number of the last inputs that belong to further buses, such as side chains.
    public var furtherInputCount = 0
    /// The number of the last outputs that belong to further buses.
    public var furtherOutputCount = 0
    /// The MIDI messages received with the cycle; empty unless the driver sets it.
    public var midi = MIDIInputBlock()

    /// The number of frames to render.
    public var frameCount: Int {
        @_noLocks get { outputs.frameCount }
    }

    /// The number of the first outputs, which belong to the main bus; a driver's impossible count leaves none, or all.
    var mainOutputCount: Int {
        @_noLocks get { min(max(0, outputs.channelCount &- furtherOutputCount), outputs.channelCount) }
    }

    /// The number of the first inputs, which belong to the main bus; a driver's impossible count leaves none, or all.
    var mainInputCount: Int {
        @_noLocks get { min(max(0, inputs.channelCount &- furtherInputCount), inputs.channelCount) }
    }

    /// True if the rate is a number above 0: nothing can be rendered at another one.
    var hasPossibleRate: Bool {
        @_noLocks get { sampleRate > 0 && sampleRate.isFinite }
    }

    /// The length of the cycle in nanoseconds; 2⁵³ at most, at any possible rate.
    package var nanoseconds: UInt64 {
        // Cannot trap: clamped, and NaN becomes an end.
        @_noLocks get { UInt64(max(0, min(0x1p53, Double(frameCount) / sampleRate * 1e9))) }
    }

    /// `[any]` Makes a cycle with these values.
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
