// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Applies MIDI messages to voices: notes, controllers, pedals and modes. Render thread.

extension VoiceBook {
    /// Takes a whole message, or a piece of a system-exclusive one; any other bytes are ignored.
    @usableFromInline @_noLocks
    mutating func handle(_ message: MIDIMessage) {
        if long.take(message), let meaning = DeviceMessage(long) { return obey(meaning) }
        guard message.isWhole, message[0] < 0xF0 else { return }
        let channel = Int(message[0] & 0x0F)
        let (first, second) = (Int(message[1]), Int(message[2]))
        switch message[0] & 0xF0 {
        case 0x80: stopNote(channel, first)
        case 0x90 where second == 0: stopNote(channel, first)
        case 0x90: startNote(channel, first, velocity: second)
        case 0xA0: press(channel, key: first, second)
        case 0xB0: control(channel, first, second)
        case 0xD0: channels[channel].pressure = Float(first) / 127
        case 0xE0: channels[channel].setBend(first, second)
        default: break
        }
    }

    @_noLocks
    private func press(_ channel: Int, key: Int, _ value: Int) {
        for index in 0..<slotCount where slots[index].note.channel == channel && slots[index].note.key == key {
            slots[index].pressure = Float(value) / 127
        }
    }

    /// Pedals and modes of a master channel apply to all its channels.
    @_noLocks
    private mutating func control(_ channel: Int, _ controller: Int, _ value: Int) {
        let members = members(of: channel)
        switch controller {
        case 64, 66, 120, 121, 123...127:
            for member in 0..<Self.channelCount where members & 1 << UInt16(member) != 0 {
                controlNotes(member, controller, value)
            }
        default:
            if channels[channel].control(controller, value) == 6 { setZone(channel, channels[channel].enteredMSB) }
        }
    }

    @_noLocks
    private mutating func controlNotes(_ channel: Int, _ controller: Int, _ value: Int) {
        switch controller {
        case 64: sustain(channel, value >= 64)
        case 66: setSostenuto(channel, value >= 64)
        case 120: endSound(channel)
        case 121: resetControllers(channel)
        default: endNotes(channel)
        }
    }

    // MARK: Pedals

    @_noLocks
    private func sustain(_ channel: Int, _ isDown: Bool) {
        channels[channel].isSustaining = isDown
        if !isDown { letGoOfSustained(channel) }
    }

    /// A pedal that goes down holds the notes whose keys are down.
    @_noLocks
    private func setSostenuto(_ channel: Int, _ isDown: Bool) {
        guard isDown != channels[channel].isSostenutoDown else { return }
        channels[channel].isSostenutoDown = isDown
        for index in 0..<slotCount where slots[index].note.channel == channel {
            slots[index].isLatched = isDown && slots[index].isHeld
        }
        if !isDown { letGoOfSustained(channel) }
    }

    @_noLocks
    private func letGoOfSustained(_ channel: Int) {
        for index in 0..<slotCount where slots[index].isSustained && slots[index].note.channel == channel { letGo(index) }
    }

    // MARK: Modes

    @_noLocks
    private func resetControllers(_ channel: Int) {
        channels[channel].resetControllers()
        for index in 0..<slotCount where slots[index].note.channel == channel { slots[index].pressure = 0 }
        letGoOfSustained(channel)
    }

    /// Releases all keys; notes under a pedal go on.
    @_noLocks
    private mutating func endNotes(_ channel: Int) {
        keys.removeAll()
        for index in 0..<slotCount where slots[index].isHeld && slots[index].note.channel == channel { letGo(index) }
    }

    @_noLocks
    private mutating func endSound(_ channel: Int) {
        keys.removeAll()
        for index in 0..<slotCount where slots[index].isPlaying && slots[index].note.channel == channel {
            slots[index].fade(over: fadeFrameCount)
        }
    }

    // MARK: Zones

    /// Gives a master channel `count` channels for single notes, as registered parameter 6 does.
    ///
    /// Source: MIDI Manufacturers Association, "MIDI Polyphonic Expression", 2018.
    @_noLocks
    private mutating func setZone(_ channel: Int, _ count: Int) {
        let wanted = min(count, 15)
        switch channel {
        case 0: (lowerCount, upperCount) = (wanted, min(upperCount, max(0, 14 - wanted)))
        case 15: (upperCount, lowerCount) = (wanted, min(lowerCount, max(0, 14 - wanted)))
        default: return
        }
        for member in 0..<Self.channelCount where master(of: member) >= 0 { channels[member].bendRange = 48 }
    }

    /// The master of a channel for single notes; −1 for any other channel.
    @_noLocks
    func master(of channel: Int) -> Int {
        if channel > 0, channel <= lowerCount { return 0 }
        return channel < 15 && channel >= 15 - upperCount && upperCount > 0 ? 15 : -1
    }

    /// The channel itself, and those that it is the master of, as bits.
    @_noLocks
    private func members(of channel: Int) -> UInt16 {
        var members: UInt16 = 1 << UInt16(channel)
        for member in 0..<Self.channelCount where master(of: member) == channel { members |= 1 << UInt16(member) }
        return members
    }
}
