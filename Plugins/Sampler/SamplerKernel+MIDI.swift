// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles MIDI messages for the sampler: controllers, programs and bends. Render thread.

import PluginSDK

extension SamplerKernel {
    /// Handles a message, or a piece of a system-exclusive one.
    @_noLocks mutating func handle(_ message: MIDIMessage) {
        guard message.byteCount > 0 else { return }
        if message.isSystemExclusivePiece {
            if long.take(message), let meaning = DeviceMessage(long) { obey(meaning) }
            return
        }
        guard message[0] >= 0x80, message[0] < 0xF0 else { return }
        let channel = Int32(message[0] & 0x0F)
        let (first, second) = (Int32(message[1] & 0x7F), Int32(message[2] & 0x7F))
        switch message[0] & 0xF0 {
        case 0x80: stopNote(channel, first)
        case 0x90 where second == 0: stopNote(channel, first)
        case 0x90: startNote(channel, first, velocity: second)
        case 0xA0: ensemble?.pressKey(channel, first, second)
        case 0xB0: control(channel, first, second)
        case 0xC0: changeProgram(Int(channel), first)
        case 0xD0: ensemble?.press(channel, first)
        case 0xE0: bend(channel, first | second << 7)
        default: break
        }
    }

    @_noLocks private mutating func bend(_ channel: Int32, _ value: Int32) {
        ensemble?.bend(channel, value)
        channels[Int(channel)].pitch.bend(Int(value))
        tune(Int(channel))
    }

    /// Handles a controller; banks are selected here, since the synthesizers have one bank file and do not support General MIDI
    /// 2 banks.
    ///
    /// Notes are spread over several synthesizers, so the modes of a single voice and portamento are done here, too.
    @_noLocks private mutating func control(_ channel: Int32, _ controller: Int32, _ value: Int32) {
        let index = Int(channel)
        switch controller {
        case 0: channels[index].bankMSB = value
        case 32: channels[index].bankLSB = value
        case 5: channels[index].mode.timeMSB = value
        case 37: channels[index].mode.timeLSB = value
        case 65: channels[index].mode.hasPortamento = value >= 64
        case 84: channels[index].mode.portamentoSource = value
        case 68: setLegato(channel, value >= 64)
        case 124...127: changeMode(channel, controller)
        case 6, 38, 96...101: enter(channel, controller, value)
        default: pass(channel, controller, value)
        }
    }

    /// Ends all notes, as each change of mode must; then one note sounds at a time, or many.
    @_noLocks private mutating func changeMode(_ channel: Int32, _ controller: Int32) {
        endNotes(channel)
        if controller >= 126 { channels[Int(channel)].mode.isMono = controller == 126 }
    }

    /// Selects a registered parameter, or sets it.
    @_noLocks private mutating func enter(_ channel: Int32, _ controller: Int32, _ value: Int32) {
        let index = Int(channel)
        let program = channels[index].pitch.tuningProgram
        if channels[index].pitch.control(controller, Int(value)) { ensemble?.control(channel, controller, value) }
        if controller == 96 || controller == 97, channels[index].pitch.entersRange {
            ensemble?.control(channel, 6, channels[index].pitch.semitones)
        }
        tune(index)
        if channels[index].pitch.tuningProgram != program { retune(index) }
    }

    /// Passes a controller on to the synthesizers.
    @_noLocks private mutating func pass(_ channel: Int32, _ controller: Int32, _ value: Int32) {
        ensemble?.control(channel, controller, value)
        switch controller {
        case 120, 123: channels[Int(channel)].mode.releaseKeys()
        case 121:
            // FluidSynth forgets the tuning, too.
            channels[Int(channel)].pitch.resetControllers()
            (channels[Int(channel)].mode.hasPortamento, channels[Int(channel)].mode.isLegato) = (false, false)
            tune(Int(channel))
        default: break
        }
    }

    @_noLocks private mutating func changeProgram(_ channel: Int, _ program: Int32) {
        channels[channel].program = program
        channels[channel].bank = channels[channel].selectedBank(master.system)
        channels.changed |= 1 << UInt16(channel)
        takeProgram(of: channel)
    }

    /// Gives the sounding notes of a channel the tunings of their keys.
    @_noLocks mutating func retune(_ channel: Int) {
        ensemble?.retune(Int32(channel), program: channels[channel].pitch.tuningProgram, tunings)
    }
}
