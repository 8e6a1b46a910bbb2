// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shapes that a band can have, and their analogue prototypes. Any thread.

import DSP
import PluginSDK

/// The shape of a band's filter.
enum BandShape {
    case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop
    case lowShelf, highShelf, resonantLowShelf, resonantHighShelf
    /// The shape of a bypassed band; the parameter does not offer it.
    case bypassed

    /// Makes the shape for a value of the `type` parameter.
    @_noLocks init(number: Int) {
        switch number {
        case 0: self = .parametric
        case 1: self = .lowPass
        case 2: self = .highPass
        case 3: self = .resonantLowPass
        case 4: self = .resonantHighPass
        case 5: self = .bandPass
        case 6: self = .bandStop
        case 7: self = .lowShelf
        case 8: self = .highShelf
        case 9: self = .resonantLowShelf
        case 10: self = .resonantHighShelf
        default: self = .bypassed
        }
    }

    static let names = [
        "Parametric", "Low Pass", "High Pass", "Resonant Low Pass", "Resonant High Pass", "Band Pass", "Band Stop",
        "Low Shelf", "High Shelf", "Resonant Low Shelf", "Resonant High Shelf",
    ]

    /// True if the gain has a meaning, so that 0 dB changes nothing.
    var hasGain: Bool {
        @_noLocks get {
            switch self {
            case .parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: true
            default: false
            }
        }
    }

    /// True if the shape is maximally flat, so that the bandwidth has no meaning.
    private var isFlat: Bool {
        @_noLocks get {
            switch self {
            case .lowPass, .highPass, .lowShelf, .highShelf: true
            default: false
            }
        }
    }

    /// The prototype at a frequency in radians a frame, a bandwidth in octaves and a gain in decibels.
    ///
    /// Source of the prototypes and of Q = 1 / (2 sinh(bandwidth · ln 2 / 2)): R. Bristow-Johnson, "Cookbook formulae for audio
    /// EQ biquad filter coefficients" (1994 to 2005), before his bilinear transform.
    @_noLocks func prototype(frequency: Double, bandwidth: Double, gain: Double) -> AnalogueSection {
        let q = isFlat ? 0.707_106_781_186_547_6 : 0.5 / Maths.sinh(bandwidth * 0.346_573_590_279_972_64)
        let poles = AnaloguePair(frequency: frequency, q: q)
        switch self {
        case .lowPass, .resonantLowPass: return AnalogueSection(poles: poles)
        case .highPass, .resonantHighPass: return AnalogueSection(poles: poles, zeros: .twoAtZero)
        case .bandPass: return AnalogueSection(poles: poles, zeros: .oneAtZero)
        // A zero exactly on the axis would be 0/0 in the match; this one is 100 dB deep at Q = 1.
        case .bandStop: return AnalogueSection(poles: poles, zeros: .pair(AnaloguePair(frequency: frequency, q: 1e5)))
        case .parametric, .bypassed: return Self.peak(poles, gain)
        case .lowShelf, .resonantLowShelf: return Self.shelf(poles, gain, levelBelow: gain)
        case .highShelf, .resonantHighShelf: return Self.shelf(poles, -gain, levelBelow: 0)
        }
    }

    /// A peak; its bandwidth lies between the points of half the gain in decibels.
    @_noLocks private static func peak(_ pair: AnaloguePair, _ gain: Double) -> AnalogueSection {
        let root = Maths.pow(10, gain / 40)
        return AnalogueSection(
            poles: AnaloguePair(frequency: pair.frequency, q: pair.q * root),
            zeros: .pair(AnaloguePair(frequency: pair.frequency, q: pair.q / root)))
    }

    /// A step of `drop` decibels down; half of it is reached at the pair's frequency.
    @_noLocks private static func shelf(_ pair: AnaloguePair, _ drop: Double, levelBelow: Double) -> AnalogueSection {
        let spread = Maths.pow(10, drop / 80)
        return AnalogueSection(
            poles: AnaloguePair(frequency: pair.frequency / spread, q: pair.q),
            zeros: .pair(AnaloguePair(frequency: pair.frequency * spread, q: pair.q)),
            gain: Maths.pow(10, levelBelow / 20))
    }
}
