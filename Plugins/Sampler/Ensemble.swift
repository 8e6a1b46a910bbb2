// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizers of a kernel, which share a bank and play as one. Made on the control thread, then render thread.

import CFluidSynth
import PluginSDK

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

    private static var memberCount: Int { @_noLocks get { 32 } }
    private static var voiceCount: Int32 { @_noLocks get { 48 } }
    /// The voices that a note may take; with fewer free ones, a sounding voice would be ended.
    private static var voicesOfANote: Int32 { @_noLocks get { 6 } }

    init(_ bank: SoundBank, sampleRate: Double) throws(UnitError) {
        (self.bank, font) = (bank, bank.font)
        programs = Programs()
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

    @_noLocks func tune(cents: Float) {
        for index in 0..<Self.memberCount {
            for channel in 0..<GeneralMIDI.channelCount { CFluidSynth_tune(members[index].pointer, Int32(channel), cents) }
        }
    }

    /// Gives a channel another preset, from its next note on.
    @_noLocks mutating func setProgram(_ program: Int32, bank: Int32, channel: Int) {
        programs.set(channel, program: program, bank: bank)
        for index in 0..<Self.memberCount { members[index].staleChannels |= 1 << UInt16(channel) }
    }

    // MARK: Notes

    @_noLocks func startNote(_ channel: Int32, _ key: Int32, velocity: Int32) {
        stopNote(channel, key)
        let chosen = chosenMember
        tellProgram(of: Int(channel), to: chosen)
        guard CFluidSynth_startNote(members[chosen].pointer, channel, key, velocity) != 0 else { return }
        members[chosen].activate()
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
