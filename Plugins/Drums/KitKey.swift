// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum for each key of General MIDI. Render thread.

/// The drums of the kit.
enum KitDrum { case none, kick, snare, sideStick, clap, hat, tom, cymbal, cowbell, jingles }

/// The sound of a key: the drum, its group, and the difference from other keys of the same drum.
struct KitKey: BitwiseCopyable {
    private(set) var drum = KitDrum.none
    /// The number of the group of parameters.
    private(set) var group = 0
    /// A frequency in hertz for a tom, a time in seconds for a hat, 1 for a ride or shaker, otherwise a factor of pitch.
    private(set) var detail = 1.0
    private(set) var level: Float = 1
    /// The pan relative to that of the group, −1 to 1.
    private(set) var pan: Float = 0

    @_noLocks init(_ key: Int) {
        switch key {
        case 35: set(.kick, 0, 0.88, 0.8)
        case 36: set(.kick, 0, 1, 0.8)
        case 37: set(.sideStick, 1, 1, 0.5)
        case 38: set(.snare, 1, 1, 0.62)
        case 40: set(.snare, 1, 1.17, 0.6)
        case 39: set(.clap, 5, 1, 0.5)
        case 42: set(.hat, 2, 0.035, 0.34)
        case 44: set(.hat, 2, 0.02, 0.28)
        case 46: set(.hat, 2, 0.24, 0.34)
        default: setOther(key)
        }
    }

    @_noLocks private mutating func setOther(_ key: Int) {
        switch key {
        case 41: set(.tom, 3, 72, 0.62, 0.5)
        case 43: set(.tom, 3, 88, 0.62, 0.35)
        case 45: set(.tom, 3, 108, 0.6, 0.15)
        case 47: set(.tom, 3, 132, 0.58, -0.05)
        case 48: set(.tom, 3, 158, 0.56, -0.25)
        case 50: set(.tom, 3, 190, 0.54, -0.4)
        case 49: set(.cymbal, 4, 0, 0.3, -0.4)
        case 57: set(.cymbal, 4, 0, 0.3, 0.45)
        case 51: set(.cymbal, 4, 1, 0.26, 0.3)
        case 59: set(.cymbal, 4, 1, 0.26, 0.38)
        case 54: set(.jingles, 5, 0, 0.34, -0.2)
        case 56: set(.cowbell, 5, 1, 0.4, 0.2)
        case 82: set(.jingles, 5, 1, 0.5, 0.25)
        default: break
        }
    }

    @_noLocks private mutating func set(_ drum: KitDrum, _ group: Int, _ detail: Double, _ level: Float, _ pan: Float = 0) {
        (self.drum, self.group, self.detail, self.level, self.pan) = (drum, group, detail, level, pan)
    }

    /// True if the kit has a drum for the key.
    var isPlayed: Bool {
        @_noLocks get { if case .none = drum { false } else { true } }
    }

    @_noLocks static func isHat(_ key: Int) -> Bool { key == 42 || key == 44 || key == 46 }
}
