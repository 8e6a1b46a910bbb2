// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Obeys system-exclusive messages that concern all voices: resets, master volume and tuning. Render thread.

extension VoiceBook {
    /// Obeys a message; drum parts and tunings of keys are left to instruments that have them.
    @_noLocks
    mutating func obey(_ meaning: DeviceMessage) {
        switch meaning {
        case .reset: restart()
        case .masterVolume(let volume): masterGain = volume * volume
        case .masterTuning(let cents): tuning.cents = cents
        case .masterTransposition(let semitones): tuning.semitones = semitones
        case .drumPart, .octaveTuning, .keyTuning, .bulkTuning: return
        }
        masterBend = tuning.semitones + tuning.cents / 100
    }

    /// Ends all sound, and gives all channels their first values.
    @_noLocks
    private mutating func restart() {
        keys.removeAll()
        for index in 0..<slotCount where slots[index].isPlaying { slots[index].fade(over: fadeFrameCount) }
        for channel in 0..<Self.channelCount { channels[channel] = MIDIChannel() }
        (lowerCount, upperCount) = (0, 0)
        (masterGain, tuning.cents, tuning.semitones) = (1, 0, 0)
    }
}
