// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles MIDI messages for the sampler. Render thread.

import PluginSDK

extension SamplerKernel {
    /// Handles a whole message.
    @_noLocks mutating func handle(_ message: MIDIMessage) {
        guard message.byteCount > 0 else { return }
        if message[0] == 0xF0 { return handleSystemExclusive(message) }
        let channel = Int32(message[0] & 0x0F)
        let (first, second) = (Int32(message[1] & 0x7F), Int32(message[2] & 0x7F))
        switch message[0] & 0xF0 {
        case 0x80: ensemble?.stopNote(channel, first)
        case 0x90 where second == 0: ensemble?.stopNote(channel, first)
        case 0x90: ensemble?.startNote(channel, first, velocity: second)
        case 0xA0: ensemble?.pressKey(channel, first, second)
        case 0xB0: control(channel, first, second)
        case 0xC0: changeProgram(Int(channel), first)
        case 0xD0: ensemble?.press(channel, first)
        case 0xE0: ensemble?.bend(channel, first | second << 7)
        default: break
        }
    }

    /// Handles a controller; banks are selected here, since the synthesizers have one bank file and do not support General MIDI
    /// 2 banks.
    ///
    /// Portamento and the modes of a single voice belong to one synthesizer, but notes are spread over several. So a change of
    /// mode ends all notes, as it must, and portamento is ignored.
    @_noLocks private mutating func control(_ channel: Int32, _ controller: Int32, _ value: Int32) {
        switch controller {
        case 0: channels[Int(channel)].bankMSB = value
        case 32: channels[Int(channel)].bankLSB = value
        case 5, 37, 65, 84: break
        case 124...127: ensemble?.control(channel, 123, 0)
        default: ensemble?.control(channel, controller, value)
        }
    }

    @_noLocks private mutating func changeProgram(_ channel: Int, _ program: Int32) {
        channels[channel].program = program
        channels[channel].bank = channels[channel].selectedBank(isDrumChannel: channel == GeneralMIDI.drumChannel)
        channels.changed |= 1 << UInt16(channel)
        takeProgram(of: channel)
    }

    /// Resets on the messages that switch General MIDI, GS or XG on.
    @_noLocks private mutating func handleSystemExclusive(_ message: MIDIMessage) {
        let isGeneralMIDI = message.byteCount == 6 && message[1] == 0x7E && message[3] == 0x09 && message[4] != 0x02
        let isGS =
            message.byteCount == 11 && message[1] == 0x41 && message[3] == 0x42 && message[4] == 0x12 && message[5] == 0x40
            && message[6] == 0 && message[7] == 0x7F && message[8] == 0
        let isXG =
            message.byteCount == 9 && message[1] == 0x43 && message[3] == 0x4C && message[4] == 0 && message[5] == 0
            && message[6] == 0x7E && message[7] == 0
        guard isGeneralMIDI || isGS || isXG else { return }
        ensemble?.resetChannels()
        ensemble?.tune(cents: tuning)
        for channel in 0..<GeneralMIDI.channelCount {
            channels[channel] = Channel()
            if channel == GeneralMIDI.drumChannel { channels[channel].bank = GeneralMIDI.drumBank }
            takeProgram(of: channel)
        }
        channels.changed = .max
    }
}
