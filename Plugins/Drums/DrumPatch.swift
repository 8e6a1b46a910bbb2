// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of the parameters of each group of drums. Render thread.

import PluginSDK

/// The parameters of one group.
struct DrumGroup: BitwiseCopyable {
    var (level, pan) = (SmoothedValue(1), SmoothedValue(0))
    /// The factors of frequencies and of times, fixed at the stroke of a drum.
    var (pitch, decay) = (1.0, 1.0)

    @_noLocks init() {}

    @_noLocks mutating func set(_ parameter: UInt64, to value: Double, over frames: Int) {
        switch parameter {
        case 0: level.ramp(to: Maths.gain(fromDecibels: Float(value)), over: frames)
        case 1: pitch = Maths.exp2(value / 12)
        case 2: decay = value / 100
        default: pan.ramp(to: Float(value) / 100, over: frames)
        }
    }

    @_noLocks mutating func advance(by frameCount: Int) {
        _ = level.advance(by: frameCount)
        _ = pan.advance(by: frameCount)
    }
}

/// The settings that all voices share: six groups.
struct DrumPatch: BitwiseCopyable {
    private var (kick, snare, hats) = (DrumGroup(), DrumGroup(), DrumGroup())
    private var (toms, cymbals, percussion) = (DrumGroup(), DrumGroup(), DrumGroup())

    init() {}

    @_noLocks func group(_ index: Int) -> DrumGroup {
        switch index {
        case 0: kick
        case 1: snare
        case 2: hats
        case 3: toms
        case 4: cymbals
        default: percussion
        }
    }

    /// Takes the value of an address, whose row is the group.
    @_noLocks mutating func set(_ address: UInt64, to value: Double, over frames: Int) {
        let parameter = address % Drums.addressStride
        switch address / Drums.addressStride {
        case 0: kick.set(parameter, to: value, over: frames)
        case 1: snare.set(parameter, to: value, over: frames)
        case 2: hats.set(parameter, to: value, over: frames)
        case 3: toms.set(parameter, to: value, over: frames)
        case 4: cymbals.set(parameter, to: value, over: frames)
        case 5: percussion.set(parameter, to: value, over: frames)
        default: break
        }
    }

    /// Advances the values, once all voices have rendered.
    @_noLocks mutating func advance(by frameCount: Int) {
        kick.advance(by: frameCount)
        snare.advance(by: frameCount)
        hats.advance(by: frameCount)
        toms.advance(by: frameCount)
        cymbals.advance(by: frameCount)
        percussion.advance(by: frameCount)
    }

    /// Jumps to the targets of all values.
    @_noLocks mutating func reset() { advance(by: .max) }
}
