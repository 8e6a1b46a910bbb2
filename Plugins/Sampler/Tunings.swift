// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tunings of keys: 128 programs for whole keyboards, and an octave for each channel. Render thread.

import PluginSDK

/// The cents by which keys differ from equal temperament.
struct Tunings: ~Copyable {
    private let programs: UnsafeMutablePointer<Float>
    private let octaves: UnsafeMutablePointer<Float>

    private static var programCount: Int { @_noLocks get { 128 } }
    private static var noteCount: Int { @_noLocks get { 12 } }

    init() {
        programs = .allocate(capacity: Self.programCount * GeneralMIDI.keyCount)
        octaves = .allocate(capacity: GeneralMIDI.channelCount * Self.noteCount)
        programs.initialize(repeating: 0, count: Self.programCount * GeneralMIDI.keyCount)
        octaves.initialize(repeating: 0, count: GeneralMIDI.channelCount * Self.noteCount)
    }

    deinit {
        programs.deallocate()
        octaves.deallocate()
    }

    @_noLocks func cents(program: Int, channel: Int, key: Int) -> Float {
        programs[program &* GeneralMIDI.keyCount &+ key] + octaves[channel &* Self.noteCount &+ key % Self.noteCount]
    }

    @_noLocks func set(program: Int, key: Int, to cents: Float) { programs[program &* GeneralMIDI.keyCount &+ key] = cents }

    @_noLocks func set(channel: Int, note: Int, to cents: Float) { octaves[channel &* Self.noteCount &+ note] = cents }

    /// Makes all keys equal again.
    @_noLocks func reset() {
        for index in 0..<Self.programCount &* GeneralMIDI.keyCount { programs[index] = 0 }
        for index in 0..<GeneralMIDI.channelCount &* Self.noteCount { octaves[index] = 0 }
    }
}
