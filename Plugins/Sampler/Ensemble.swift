// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizers of a kernel, which share a bank and play as one. Made on the control thread, then render thread.

import CFluidSynth
import PluginSDK

/// The pitch with which a note starts.
struct StartPitch {
    /// The cents above the usual pitch of the key.
    var cents: Float
    /// The cents from which it glides, and the length of the glide.
    var glide: Float = 0
    var seconds: Float = 0

    @_noLocks init(cents: Float) { self.cents = cents }
}

/// Synthesizers that play as one, so that each note begins at its own frame.
///
/// A note goes to a synthesizer that starts a block at the note's frame, or to a silent one that can start there. Only if none
/// is left does a note start some frames late. All other messages go to all synthesizers. The sound depends only on frames, not
/// on the division into blocks.
struct Ensemble: ~Copyable {
    private let members: UnsafeMutablePointer<PhasedSynthesizer>
    private let font: OpaquePointer
    /// Keeps the bank in memory.
    private let bank: SoundBank
    private var programs: Programs
    /// The blocks of a synthesizer in a second.
    private let blockRate: Float

    private static var memberCount: Int { @_noLocks get { 32 } }
    private static var voiceCount: Int32 { @_noLocks get { 48 } }
    /// The voices that a note may take; with fewer free ones, a sounding voice would be ended.
    private static var voicesOfANote: Int32 { @_noLocks get { 6 } }

    init(_ bank: SoundBank, sampleRate: Double) throws(UnitError) {
        (self.bank, font) = (bank, bank.font)
        programs = Programs()
        blockRate = Float(sampleRate) / Float(PhasedSynthesizer.blockFrameCount)
        members = .allocate(capacity: Self.memberCount)
        for index in 0..<Self.memberCount {
            do throws(UnitError) {
                let synthesizer = try Synthesizer(sampleRate: sampleRate, voiceCount: Self.voiceCount)
                fluid_synth_add_sfont(synthesizer.pointer, bank.font)
                (members + index).initialize(to: PhasedSynthesizer(synthesizer))
            } catch {
                Self.free(members, index, font: bank.font)
                throw error
            }
        }
    }

    deinit { Self.free(members, Self.memberCount, font: font) }

    private static func free(_ members: UnsafeMutablePointer<PhasedSynthesizer>, _ count: Int, font: OpaquePointer) {
        // The bank belongs to its loader, but a synthesizer would free it.
        for index in 0..<count { fluid_synth_remove_sfont(members[index].pointer, font) }
        // The last one first, so that an allocator can release the end of its memory.
        for index in (0..<count).reversed() { (members + index).deinitialize(count: 1) }
        members.deallocate()
    }

    @_noLocks func add(to output: AudioBlock) {
        for index in 0..<Self.memberCount { members[index].add(to: output) }
    }

    @_noLocks func add(to output: AudioBlock, through rate: inout RaisedRate) { rate.render(self, to: output) }

    @_noLocks func endSound() {
        for index in 0..<Self.memberCount { members[index].reset() }
    }

    /// Tunes a channel, with its sounding notes.
    @_noLocks func tune(_ channel: Int32, cents: Float) {
        for index in 0..<Self.memberCount { CFluidSynth_tune(members[index].pointer, channel, cents) }
    }

    /// Gives the sounding notes of a channel the tunings of their keys.
    @_noLocks func retune(_ channel: Int32, program: Int, _ tunings: borrowing Tunings) {
        for index in 0..<Self.memberCount where members[index].isActive {
            members[index].pitches.retune(channel, program, tunings, of: members[index].pointer)
        }
    }

    /// True if the bank has the preset.
    @_noLocks func hasPreset(_ program: Int32, bank: Int32) -> Bool { CFluidSynth_hasPreset(font, bank, program) != 0 }

    /// Gives a channel another preset, from its next note on.
    @_noLocks mutating func setProgram(_ program: Int32, bank: Int32, channel: Int) {
        programs.set(channel, program: program, bank: bank)
        for index in 0..<Self.memberCount { members[index].staleChannels |= 1 << UInt16(channel) }
    }

    // MARK: Notes

    /// Starts a note, `pitch.cents` above its key's usual pitch, or gliding there; false if the bank has no sound for it.
    @_noLocks func startNote(_ channel: Int32, _ key: Int32, velocity: Int32, _ pitch: StartPitch) -> Bool {
        stopNote(channel, key)
        let chosen = chosenMember
        tellProgram(of: Int(channel), to: chosen)
        let number = CFluidSynth_startNote(members[chosen].pointer, channel, key, velocity)
        guard number != 0 else { return false }
        members[chosen].activate()
        members[chosen].pitches.add(
            number, channel, key, cents: pitch.cents, glide: pitch.glide, blocks: pitch.seconds * blockRate,
            of: members[chosen].pointer)
        choke(channel, key, except: chosen)
        return true
    }

    /// Moves the newest note of a channel and key to another key, without a new stroke; false if it no longer sounds.
    @_noLocks func moveNote(_ channel: Int32, from key: Int32, to newKey: Int32, _ pitch: StartPitch) -> Bool {
        for index in 0..<Self.memberCount where members[index].isActive {
            let isMoved = members[index].pitches.move(
                channel, from: key, to: newKey, cents: pitch.cents, blocks: pitch.seconds * blockRate, of: members[index].pointer)
            if isMoved { return true }
        }
        return false
    }

    /// Ends the notes of the other synthesizers in the exclusive class of a note.
    @_noLocks private func choke(_ channel: Int32, _ key: Int32, except chosen: Int) {
        let exclusiveClass = CFluidSynth_exclusiveClass(members[chosen].pointer, channel, key)
        guard exclusiveClass != 0 else { return }
        for index in 0..<Self.memberCount where index != chosen && members[index].isActive {
            CFluidSynth_choke(members[index].pointer, channel, exclusiveClass)
        }
    }

    @_noLocks func stopNote(_ channel: Int32, _ key: Int32) {
        for index in 0..<Self.memberCount where members[index].isActive {
            CFluidSynth_stopNote(members[index].pointer, channel, key)
        }
    }

    /// The member that starts a note soonest: one that can start it at once, and among these one that already sounds.
    private var chosenMember: Int {
        @_noLocks get {
            var (soonest, silent) = (0, -1)
            for index in 0..<Self.memberCount {
                guard members[index].isActive else {
                    if silent < 0 { silent = index }
                    continue
                }
                let frames = members[index].framesToBoundary
                if frames == 0, members[index].voiceCount <= Self.voiceCount &- Self.voicesOfANote { return index }
                if frames < members[soonest].framesToBoundary { soonest = index }
            }
            return silent >= 0 ? silent : soonest
        }
    }

    @_noLocks private func tellProgram(of channel: Int, to index: Int) {
        let bit: UInt16 = 1 << UInt16(channel)
        guard members[index].staleChannels & bit != 0 else { return }
        members[index].staleChannels &= ~bit
        programs.select(channel, of: members[index].pointer, font)
    }

    // MARK: Other messages

    @_noLocks func control(_ channel: Int32, _ controller: Int32, _ value: Int32) {
        for index in 0..<Self.memberCount { CFluidSynth_control(members[index].pointer, channel, controller, value) }
    }

    @_noLocks func bend(_ channel: Int32, _ value: Int32) {
        for index in 0..<Self.memberCount { CFluidSynth_bend(members[index].pointer, channel, value) }
    }

    @_noLocks func press(_ channel: Int32, _ value: Int32) {
        for index in 0..<Self.memberCount { CFluidSynth_press(members[index].pointer, channel, value) }
    }

    @_noLocks func pressKey(_ channel: Int32, _ key: Int32, _ value: Int32) {
        for index in 0..<Self.memberCount { CFluidSynth_pressKey(members[index].pointer, channel, key, value) }
    }

    /// Ends all sound and forgets all controllers and the tuning.
    @_noLocks func resetChannels() {
        for index in 0..<Self.memberCount {
            members[index].reset()
            CFluidSynth_reset(members[index].pointer)
            members[index].staleChannels = .max
        }
    }
}
