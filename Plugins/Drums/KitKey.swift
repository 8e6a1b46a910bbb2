// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum for each key of General MIDI, 35 to 81, and for a shaker on key 82. Render thread.

/// The drums of the kit.
enum KitDrum {
    case none, kick, snare, sideStick, clap, hat, tom, cymbal, cowbell, jingles
    case hand, timbale, wood, bar, agogo, triangle, dome, guiro, rattle, whistle, cuica
}

/// The sound of a key: the drum, its group, and the difference from other keys of the same drum.
struct KitKey: BitwiseCopyable {
    private(set) var drum = KitDrum.none
    /// The number of the group of parameters.
    private(set) var group = 0
    /// A frequency in hertz for tuned drums, a time in seconds for a hat, 1 for a ride or shaker, otherwise a factor of pitch.
    private(set) var detail = 1.0
    /// The time of the sound in seconds, for the drums that have one; a factor of the decay for others.
    private(set) var seconds = 1.0
    /// The factor of the pitch of cymbals and shakers.
    private(set) var pitch = 1.0
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
        case 41: set(.tom, 3, 72, 0.62, 0.5)
        case 43: set(.tom, 3, 88, 0.62, 0.35)
        case 45: set(.tom, 3, 108, 0.6, 0.15)
        case 47: set(.tom, 3, 132, 0.58, -0.05)
        case 48: set(.tom, 3, 158, 0.56, -0.25)
        case 50: set(.tom, 3, 190, 0.54, -0.4)
        case 49...59: setCymbal(key)
        default: setPercussion(key)
        }
    }

    @_noLocks private mutating func setCymbal(_ key: Int) {
        switch key {
        case 49: set(.cymbal, 4, 0, 0.3, -0.4)
        case 51: set(.cymbal, 4, 1, 0.26, 0.3)
        case 52: set(.cymbal, 4, 0, 0.34, 0.5, seconds: 0.5, pitch: 0.68)
        case 53: set(.dome, 4, 790, 0.34, 0.3, seconds: 0.28)
        case 54: set(.jingles, 5, 0, 0.34, -0.2)
        case 55: set(.cymbal, 4, 0, 0.32, -0.2, seconds: 0.3, pitch: 1.35)
        case 56: set(.cowbell, 5, 1, 0.4, 0.2)
        case 57: set(.cymbal, 4, 0, 0.3, 0.45, seconds: 1.15, pitch: 0.87)
        case 58: set(.rattle, 5, 1, 0.95, 0.35, seconds: 0.18)
        case 59: set(.cymbal, 4, 1, 0.26, 0.38, seconds: 0.85, pitch: 1.14)
        default: break
        }
    }

    @_noLocks private mutating func setPercussion(_ key: Int) {
        switch key {
        case 60: set(.hand, 5, 420, 0.5, -0.3, seconds: 0.05)
        case 61: set(.hand, 5, 300, 0.52, -0.3, seconds: 0.065)
        case 62: set(.hand, 5, 330, 0.5, 0.3, seconds: 0.022)
        case 63: set(.hand, 5, 235, 0.5, 0.3, seconds: 0.12)
        case 64: set(.hand, 5, 168, 0.52, 0.3, seconds: 0.14)
        case 65: set(.timbale, 5, 370, 0.5, -0.15, seconds: 0.11)
        case 66: set(.timbale, 5, 250, 0.52, -0.15, seconds: 0.13)
        case 67: set(.agogo, 5, 1010, 0.4, 0.4, seconds: 0.11)
        case 68: set(.agogo, 5, 680, 0.42, 0.4, seconds: 0.13)
        case 69: set(.jingles, 5, 1, 0.5, -0.35, seconds: 1.8, pitch: 0.8)
        case 70: set(.jingles, 5, 1, 0.55, -0.4, seconds: 0.5, pitch: 1.35)
        case 71: set(.whistle, 5, 1, 0.24, 0.1, seconds: 0.14)
        case 72: set(.whistle, 5, 1, 0.24, 0.1, seconds: 0.5)
        case 73: set(.guiro, 5, 1, 0.6, -0.25, seconds: 0.11)
        case 74: set(.guiro, 5, 0.95, 0.6, -0.25, seconds: 0.42)
        case 75: set(.bar, 5, 2480, 0.45, 0.15)
        case 76: set(.wood, 5, 1040, 0.5, -0.1)
        case 77: set(.wood, 5, 720, 0.5, -0.1)
        case 78: set(.cuica, 5, 620, 0.42, 0.25, seconds: 0.14)
        case 79: set(.cuica, 5, 330, 0.42, 0.25, seconds: 0.34)
        case 80: set(.triangle, 5, 1320, 0.36, -0.45, seconds: 0.05)
        case 81: set(.triangle, 5, 1320, 0.36, -0.45, seconds: 0.75)
        case 82: set(.jingles, 5, 1, 0.5, 0.25)
        default: break
        }
    }

    @_noLocks private mutating func set(
        _ drum: KitDrum, _ group: Int, _ detail: Double, _ level: Float, _ pan: Float = 0, seconds: Double = 1, pitch: Double = 1
    ) {
        (self.drum, self.group, self.detail, self.level, self.pan) = (drum, group, detail, level, pan)
        (self.seconds, self.pitch) = (seconds, pitch)
    }

    /// True if the kit has a drum for the key.
    var isPlayed: Bool {
        @_noLocks get { if case .none = drum { false } else { true } }
    }

    /// The first and the last of the keys that end each other, as one instrument cannot sound twice; nil for other keys.
    @_noLocks static func chokeGroup(_ key: Int) -> ClosedRange<Int>? {
        switch key {
        case 42, 44, 46: 42...46
        case 71, 72: 71...72
        case 73, 74: 73...74
        case 78, 79: 78...79
        case 80, 81: 80...81
        default: nil
        }
    }
}
