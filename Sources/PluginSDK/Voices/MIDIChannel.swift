// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The controllers of one MIDI channel. Render thread.

/// The present values of a channel's controllers.
@usableFromInline
struct MIDIChannel: BitwiseCopyable {
    /// The pitch wheel, −1 to 1.
    var bend: Float = 0
    /// The semitones of a full turn of the pitch wheel.
    var bendRange: Float = 2
    var (fineTuning, coarseTuning): (Float, Float) = (0, 0)
    var pressure: Float = 0
    var timbre: Float = 0.5
    var modulation: Float = 0
    var (volume, expression): (Float, Float) = (1, 1)
    var (isSustaining, isSostenutoDown) = (false, false)
    /// The registered parameter that data entry sets; 0x3FFF for none.
    private var parameter = Self.noParameter
    private var (dataMSB, dataLSB) = (0, 0)

    private static var noParameter: Int { @_noLocks get { 0x3FFF } }

    @_noLocks
    init() {}

    /// The channel's share in the expression of its voices.
    var noteExpression: NoteExpression {
        @_noLocks get {
            var result = NoteExpression()
            result.bend = bend * bendRange + fineTuning + coarseTuning
            (result.pressure, result.timbre, result.modulation) = (pressure, timbre, modulation)
            result.gain = volume * volume * expression * expression
            return result
        }
    }

    /// Sets the pitch wheel from its two bytes.
    @_noLocks
    mutating func setBend(_ low: Int, _ high: Int) {
        let position = (low | high << 7) - 8192
        // The upper half has one step fewer than the lower one.
        bend = Float(position) / (position > 0 ? 8191 : 8192)
    }

    /// Takes a controller that concerns no single note; returns the registered parameter that it has set, or −1.
    @_noLocks
    mutating func control(_ controller: Int, _ value: Int) -> Int {
        let part = Float(value) / 127
        switch controller {
        case 1: modulation = part
        case 7: volume = part
        case 11: expression = part
        case 74: timbre = value <= 64 ? Float(value) / 128 : 0.5 + Float(value - 64) / 126
        case 98, 99: parameter = Self.noParameter
        case 100: parameter = parameter & 0x3F80 | value
        case 101: parameter = parameter & 0x7F | value << 7
        case 6: return enter(value, 0)
        case 38: return enter(dataMSB, value)
        default: break
        }
        return -1
    }

    @_noLocks
    private mutating func enter(_ msb: Int, _ lsb: Int) -> Int {
        (dataMSB, dataLSB) = (msb, lsb)
        switch parameter {
        case 0: bendRange = Float(msb) + Float(min(lsb, 99)) / 100
        case 1: fineTuning = Float((msb << 7 | lsb) - 8192) / 8192
        case 2: coarseTuning = Float(msb - 64)
        default: break
        }
        return parameter
    }

    /// The first byte of the value that was entered for a registered parameter.
    var enteredMSB: Int { @_noLocks get { dataMSB } }

    /// Does "reset all controllers", which keeps volume, timbre, the bend's range and the tuning.
    ///
    /// Source: MIDI Manufacturers Association, recommended practice RP-015.
    @_noLocks
    mutating func resetControllers() {
        (bend, pressure, modulation, expression) = (0, 0, 0, 1)
        (isSustaining, isSostenutoDown) = (false, false)
        parameter = Self.noParameter
    }
}
