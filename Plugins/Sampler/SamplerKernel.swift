// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's kernel: gain, pan and tuning around the synthesizers. Render thread.

import PluginSDK

/// The values of system-exclusive messages for the whole unit.
struct Master: BitwiseCopyable {
    var gain = SmoothedValue(1)
    var (cents, semitones): (Float, Float) = (0, 0)
    var system = DeviceMessage.System.generalMIDI

    @_noLocks init() {}
}

/// Renders the bank's instruments.
struct SamplerKernel: RenderKernel, ~Copyable {
    /// The synthesizers; nil without a bank, and then all is silent.
    var ensemble: Ensemble?
    private var raisedRate: RaisedRate
    var channels = Channels()
    private var gain = SmoothedValue(1)
    private var pan = SmoothedValue(0)
    let tunings = Tunings()
    /// The system-exclusive message whose pieces arrive.
    var long = LongMessage(capacity: 1024)
    var master = Master()
    /// The notes without a sound, and the programs with a substitute, that the host does not know yet.
    var (unplayedNoteCount, substitutedProgramCount): (UInt32, UInt32) = (0, 0)
    private var tuning: Float = 0
    private let glide: Int

    /// For ever: a note sounds until it is stopped, and the release time of its instrument is unknown.
    var tailFrameCount: Int { @_noLocks get { .max } }
    var latencyFrameCount: Int { @_noLocks get { raisedRate.latencyFrameCount } }

    init(_ setup: RenderSetup, _ bank: SoundBank?) throws(UnitError) {
        if let bank { ensemble = try Ensemble(bank, sampleRate: RaisedRate.innerRate(setup.sampleRate)) }
        raisedRate = RaisedRate(sampleRate: setup.sampleRate)
        glide = setup.frameCount(seconds: 0.02)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        switch change.address {
        case Address.gain: gain.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: frames)
        case Address.pan: pan.ramp(to: Float(change.value) / 100, over: frames)
        case Address.tuning:
            tuning = Float(change.value)
            for channel in 0..<GeneralMIDI.channelCount { tune(channel) }
        default: applyToChannel(change)
        }
    }

    @_noLocks private mutating func applyToChannel(_ change: ParameterChange) {
        guard change.address >= Address.firstChannel else { return }
        let offset = Int(change.address &- Address.firstChannel)
        guard offset < 2 &* GeneralMIDI.channelCount else { return }
        let (channel, value) = (offset / 2, Int32(change.value))
        if offset & 1 == 0 { channels[channel].program = value } else { channels[channel].bank = value }
        takeProgram(of: channel)
    }

    /// Gives a channel its present tuning: those of the unit, the system and the channel, and the rest of its bend.
    @_noLocks func tune(_ channel: Int) {
        let transposition = channels[channel].playsDrums ? 0 : 100 * master.semitones
        ensemble?.tune(Int32(channel), cents: channels[channel].pitch.cents(unit: tuning + master.cents + transposition))
    }

    /// A new master volume, which is heard after the usual glide.
    @_noLocks mutating func setMasterVolume(_ volume: Float) { master.gain.ramp(to: volume * volume, over: glide) }

    /// Marks a channel's preset as changed for the synthesizers.
    @_noLocks mutating func takeProgram(of channel: Int) {
        channels[channel].isCounted = false
        ensemble?.setProgram(channels[channel].program, bank: channels[channel].bank, channel: channel)
        if master.semitones != 0 { tune(channel) }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        tellPrograms(block)
        block.countUnplayed(notes: unplayedNoteCount, programs: substitutedProgramCount)
        (unplayedNoteCount, substitutedProgramCount) = (0, 0)
        let output = block.output
        output.silence()
        guard output.channelCount == 2 else { return }
        ensemble?.add(to: output, through: &raisedRate)
        if gain.isMoving || pan.isMoving || master.gain.isMoving {
            for frame in 0..<block.frameCount { scale(output, frame, 1, gain.next() * master.gain.next(), pan.next()) }
        } else {
            scale(output, 0, block.frameCount, gain.current * master.gain.current, pan.current)
        }
    }

    /// Reports the programs that MIDI messages have changed to the host.
    @_noLocks private mutating func tellPrograms(_ block: RenderBlock) {
        guard channels.changed != 0 else { return }
        for channel in 0..<GeneralMIDI.channelCount where channels.changed & 1 << UInt16(channel) != 0 {
            block.emitParameter(Address.program(channel), value: Double(channels[channel].program))
            block.emitParameter(Address.bank(channel), value: Double(channels[channel].bank))
        }
        channels.changed = 0
    }

    /// Scales frames by the gain, and the opposite side of the pan by its remaining share.
    @_noLocks private func scale(_ output: AudioBlock, _ start: Int, _ count: Int, _ gain: Float, _ pan: Float) {
        let factors = (gain * min(1, 1 - pan), gain * min(1, 1 + pan))
        guard factors.0 != 1 || factors.1 != 1 else { return }
        for frame in start..<start &+ count {
            output[0][frame] *= factors.0
            output[1][frame] *= factors.1
        }
    }

    @_noLocks mutating func reset() {
        ensemble?.endSound()
        raisedRate.reset()
        for channel in 0..<GeneralMIDI.channelCount { channels[channel].mode.releaseKeys() }
        gain.jump(to: gain.target)
        master.gain.jump(to: master.gain.target)
        pan.jump(to: pan.target)
    }
}
