// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts and stops the notes of the sampler, in poly and mono mode, with legato and portamento. Render thread.

import PluginSDK

extension SamplerKernel {
    @_noLocks mutating func startNote(_ channel: Int32, _ key: Int32, velocity: Int32) {
        let index = Int(channel)
        guard channels[index].mode.playsOneNote else { return strike(channel, key, velocity) }
        let isLegato = channels[index].mode.heldCount > 0
        channels[index].mode.push(key, velocity)
        if isLegato { change(channel, to: key, velocity) } else { strike(channel, key, velocity) }
    }

    @_noLocks mutating func stopNote(_ channel: Int32, _ key: Int32) {
        let index = Int(channel)
        guard channels[index].mode.playsOneNote else {
            ensemble?.stopNote(channel, key)
            return
        }
        guard channels[index].mode.remove(key) else { return }
        if let former = channels[index].mode.last {
            change(channel, to: former.key, former.velocity)
        } else {
            ensemble?.stopNote(channel, channels[index].mode.startedKey)
            channels[index].mode.startedKey = -1
        }
    }

    /// Ends the notes of a channel, as if their keys had gone up.
    @_noLocks mutating func endNotes(_ channel: Int32) {
        ensemble?.control(channel, 123, 0)
        channels[Int(channel)].mode.releaseKeys()
    }

    /// Presses the legato pedal or lets it go; what sounds by one key alone ends where many keys may sound again.
    @_noLocks mutating func setLegato(_ channel: Int32, _ isDown: Bool) {
        let former = channels[Int(channel)].mode.playsOneNote
        channels[Int(channel)].mode.isLegato = isDown
        if channels[Int(channel)].mode.playsOneNote != former { endNotes(channel) }
    }

    /// Lets the one note of a channel sound another key: by a glide under the legato pedal, by a new stroke without it.
    @_noLocks private mutating func change(_ channel: Int32, to key: Int32, _ velocity: Int32) {
        let started = channels[Int(channel)].mode.startedKey
        if channels[Int(channel)].mode.isLegato, started >= 0 {
            let pitch = startPitch(channel, key)
            if ensemble?.moveNote(channel, from: started, to: key, pitch) ?? false {
                channels[Int(channel)].mode.lastKey = key
                return
            }
        }
        ensemble?.stopNote(channel, started)
        strike(channel, key, velocity)
    }

    @_noLocks private mutating func strike(_ channel: Int32, _ key: Int32, _ velocity: Int32) {
        let index = Int(channel)
        let pitch = startPitch(channel, key)
        (channels[index].mode.lastKey, channels[index].mode.startedKey) = (key, key)
        let isHeard = ensemble?.startNote(channel, key, velocity: velocity, pitch) ?? false
        if isHeard { countSubstitute(index) } else { unplayedNoteCount &+= 1 }
    }

    /// The tuning of a key, and the glide of portamento, which drums do not have.
    @_noLocks private mutating func startPitch(_ channel: Int32, _ key: Int32) -> StartPitch {
        let index = Int(channel)
        let program = channels[index].pitch.tuningProgram
        var pitch = StartPitch(cents: tunings.cents(program: program, channel: index, key: Int(key)))
        if let start = channels[index].mode.glideStart(to: key), !channels[index].playsDrums {
            pitch.glide = 100 * Float(start - key)
            pitch.seconds = channels[index].mode.glideSeconds
        }
        return pitch
    }

    /// Counts a program that the bank file lacks, once it is heard.
    @_noLocks private mutating func countSubstitute(_ channel: Int) {
        guard !channels[channel].isCounted else { return }
        channels[channel].isCounted = true
        let isOwn = ensemble?.hasPreset(channels[channel].program, bank: channels[channel].bank) ?? true
        if !isOwn { substitutedProgramCount &+= 1 }
    }
}
