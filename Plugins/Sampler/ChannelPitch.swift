// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pitch of a channel: the wheel, its range, and the registered parameters. Render thread.

/// The pitch wheel and the registered parameters of a channel.
///
/// FluidSynth 2.3.1 bends by 127/128 of the range, knows no cents of it, and replaces the tuning of the unit by that of the channel. So it
/// only hears the wheel and the semitones of the range, and gets the remaining cents as a tuning.
struct ChannelPitch: BitwiseCopyable {
    /// The pitch wheel, −8192 to 8191.
    private var wheel = 0
    /// The range of the wheel: semitones, and further cents.
    private var (rangeSemitones, rangeCents) = (2, 0)
    private var (fineCents, coarseSemitones): (Float, Float) = (0, 0)
    /// The tuning program, which registered parameter 3 selects.
    private(set) var tuningProgram = 0
    /// The registered parameter that data entry sets; `none` for no parameter, or an unregistered one.
    private var parameter = Self.none
    private var isUnregistered = false
    private var (dataMSB, dataLSB) = (0, 0)

    private static var none: Int { @_noLocks get { 0x3FFF } }

    @_noLocks init() {}

    @_noLocks mutating func bend(_ value: Int) { wheel = value - 8192 }

    /// Does "reset all controllers": the wheel is in the middle, and no parameter is selected.
    ///
    /// Source: MIDI Manufacturers Association, recommended practice RP-015.
    @_noLocks mutating func resetControllers() { (wheel, parameter, isUnregistered) = (0, Self.none, false) }

    /// The cents that a channel's tuning adds to FluidSynth's bend.
    @_noLocks func cents(unit: Float) -> Float {
        let own = unit + fineCents + 100 * coarseSemitones
        guard wheel != 0 else { return own }
        // The upper half of the wheel has one step fewer than the lower one.
        let wanted = Float(100 * rangeSemitones + rangeCents) * Float(wheel) / (wheel > 0 ? 8191 : 8192)
        let rendered = 100 * Float(rangeSemitones) * 127 / 128 * Float(wheel) / 8192
        // FluidSynth cuts the sum to whole cents, so it is rounded before.
        let sum = own + wanted
        return Float(Int32(sum + (sum < 0 ? -0.5 : 0.5))) + 0.05 - rendered
    }

    /// Takes a controller that selects a parameter or enters its value; false if FluidSynth need not hear it.
    @_noLocks mutating func control(_ controller: Int32, _ value: Int) -> Bool {
        switch controller {
        case 98, 99: (parameter, isUnregistered) = (Self.none, true)
        case 100: (parameter, isUnregistered) = (parameter & 0x3F80 | value, false)
        case 101: (parameter, isUnregistered) = (parameter & 0x7F | value << 7, false)
        case 6:
            enter(value, 0)
            return isUnregistered || parameter == 0
        case 38:
            enter(dataMSB, value)
            return isUnregistered
        case 96: step(by: 1)
        case 97: step(by: -1)
        default: return true
        }
        return controller < 96 || controller > 97
    }

    /// The semitones of the range, for FluidSynth.
    var semitones: Int32 { @_noLocks get { Int32(truncatingIfNeeded: rangeSemitones) } }
    /// True if the data entry of this moment sets the range.
    var entersRange: Bool { @_noLocks get { parameter == 0 } }

    @_noLocks private mutating func enter(_ msb: Int, _ lsb: Int) {
        (dataMSB, dataLSB) = (msb, lsb)
        switch parameter {
        case 0: (rangeSemitones, rangeCents) = (msb, min(lsb, 99))
        case 1: fineCents = Float((msb << 7 | lsb) - 8192) / 81.92
        case 2: coarseSemitones = Float(msb - 64)
        case 3: tuningProgram = msb
        default: break
        }
    }

    /// Increments or decrements the selected parameter: cents of the range, and steps of the others.
    ///
    /// Source: MIDI Manufacturers Association, recommended practice RP-018.
    @_noLocks private mutating func step(by direction: Int) {
        switch parameter {
        case 0:
            let cents = max(0, min(12_799, 100 * rangeSemitones + rangeCents + direction))
            (rangeSemitones, rangeCents) = (cents / 100, cents % 100)
        case 1: fineCents = max(-100, min(100, fineCents + Float(direction) / 81.92))
        case 2: coarseSemitones = max(-64, min(63, coarseSemitones + Float(direction)))
        case 3: tuningProgram = max(0, min(127, tuningProgram + direction))
        default: break
        }
    }
}
