// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Obeys system-exclusive messages: resets, master volume and tuning, drum parts, tunings of keys. Render thread.

import PluginSDK

extension SamplerKernel {
    /// Obeys the message whose last piece has arrived.
    @_noLocks mutating func obey(_ meaning: DeviceMessage) {
        switch meaning {
        case .reset(let system): restart(system)
        case .masterVolume(let volume): setMasterVolume(volume)
        case .masterTuning(let cents):
            master.cents = cents
            tuneAll()
        case .masterTransposition(let semitones):
            master.semitones = semitones
            tuneAll()
        case .drumPart(let channel, let isDrums): setDrums(channel, isDrums)
        case .octaveTuning(let channels): tuneOctave(channels)
        case .keyTuning(let program, let count):
            for index in 0..<count { tune(program, DeviceMessage.keyTuning(long, at: index)) }
            retuneAll()
        case .bulkTuning(let program):
            for key in 0..<GeneralMIDI.keyCount { tune(program, DeviceMessage.bulkTuning(long, key: key)) }
            retuneAll()
        }
    }

    @_noLocks private mutating func restart(_ system: DeviceMessage.System) {
        ensemble?.resetChannels()
        tunings.reset()
        (master.system, master.cents, master.semitones) = (system, 0, 0)
        setMasterVolume(1)
        for channel in 0..<GeneralMIDI.channelCount {
            channels[channel] = Channel(index: channel)
            takeProgram(of: channel)
        }
        tuneAll()
        channels.changed = .max
    }

    @_noLocks private mutating func setDrums(_ channel: Int, _ isDrums: Bool) {
        channels[channel].isDrums = isDrums
        channels[channel].program = 0
        channels[channel].bank = isDrums ? GeneralMIDI.drumBank : 0
        channels.changed |= 1 << UInt16(channel)
        takeProgram(of: channel)
        tune(channel)
    }

    @_noLocks private mutating func tuneOctave(_ chosen: UInt16) {
        for channel in 0..<GeneralMIDI.channelCount where chosen & 1 << UInt16(channel) != 0 {
            for note in 0..<12 { tunings.set(channel: channel, note: note, to: DeviceMessage.octaveCents(long, note: note)) }
            retune(channel)
        }
    }

    @_noLocks private func tune(_ program: Int, _ tuned: (key: Int, cents: Float)?) {
        if let tuned { tunings.set(program: program & 127, key: tuned.key, to: tuned.cents) }
    }

    @_noLocks private func tuneAll() { for channel in 0..<GeneralMIDI.channelCount { tune(channel) } }

    @_noLocks private mutating func retuneAll() { for channel in 0..<GeneralMIDI.channelCount { retune(channel) } }
}
