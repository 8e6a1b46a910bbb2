// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain of one unit between sounds in memory, rendered block by block. Thread of the case.

import AudioUnits
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// How a unit is to be rendered.
struct BenchSettings {
    var sampleRate = 48_000.0
    var maximumFrameCount = 512
    /// Nil for what the unit prefers.
    var channelCount: Int?
    var automation: [AutomationLane] = []
    var hasSideChain = false
    /// Without it a block has a deadline, a thousand times its length.
    var isOffline = true
}

/// One unit, ready to render.
final class Bench {
    let unit: HostedUnit
    let chain: UnitChain
    let settings: BenchSettings
    let channelCount: Int
    private let trial: Trial
    private let player = PlanPlayer()
    private let input: AudioBuffer
    private let output: AudioBuffer
    private(set) var sampleTime: Int64 = 0
    private var isClosed = false
    /// A death is what the case is about, and ends nothing.
    var toleratesDeath = false

    init(_ trial: Trial, _ unit: HostedUnit, _ settings: BenchSettings = BenchSettings()) throws(CaseEnd) {
        guard let channelCount = settings.channelCount ?? unit.chainChannelCount else {
            throw .notApplicable("Its buses take no equal number of channels in and out, so that no chain can hold it.")
        }
        self.trial = trial
        self.unit = unit
        self.settings = settings
        self.channelCount = channelCount
        // What a unit puts out is what a case is about, whatever it is.
        var policy = ChainPolicy()
        policy.ceiling = nil
        // Blocks follow each other without a pause: nobody has time to sleep.
        policy.workShare = nil
        chain = try trial.attempt { () throws(HostingError) in
            try UnitChain(
                [ChainLink(unit, automation: settings.automation, hasSideChain: settings.hasSideChain)],
                format: ChainFormat(
                    sampleRate: settings.sampleRate, maximumFrameCount: settings.maximumFrameCount, channelCount: channelCount),
                policy: policy)
        }
        input = AudioBuffer(channelCount: channelCount, frameCapacity: settings.maximumFrameCount)
        output = AudioBuffer(channelCount: channelCount, frameCapacity: settings.maximumFrameCount)
        var builder = RenderPlanBuilder(channelCount: channelCount, maximumFrameCount: settings.maximumFrameCount)
        let signal = builder.add(source: chain)
        player.play(builder.plan(output: signal))
        try startNote()
    }

    /// An instrument without a note has nothing to say.
    private func startNote() throws(CaseEnd) {
        guard unit.description.inputs.isEmpty, unit.description.flags.contains(.midiInput) else { return }
        try trial.attempt { () throws(HostingError) in try unit.send(MIDIMessage(0x90, 60, 100)) }
    }

    var member: ChainMember { chain.members[0] }

    /// Takes the unit's resources back. Throws when the unit died of it, or had gone wrong unnoticed before.
    func close() throws(CaseEnd) {
        guard !isClosed else { return }
        isClosed = true
        chain.tearDown()
        let count = member.invalidStretchCount
        if count > 0 {
            trial.warn(
                "It put out what is no number \(Wording.count(count, "time")), and was silenced and made anew, while \(trial.activity.current)."
            )
        }
        if !toleratesDeath, let end = faultEnd { throw end }
    }

    /// Renders one block from `start` on, and appends it to `result`.
    private func renderBlock(_ sound: Sound, from start: Int, _ frameCount: Int, into result: inout Sound) throws(CaseEnd) {
        let from = input.block(frameCount: frameCount)
        for channel in 0..<min(channelCount, sound.channelCount) {
            sound.channels[channel].withUnsafeBufferPointer { samples in
                for frame in 0..<frameCount { from[channel][frame] = samples[start + frame] }
            }
        }
        // A deadline a thousand blocks away: late is late then, and not the machine's other work.
        let rate = settings.isOffline ? settings.sampleRate : settings.sampleRate / 1000
        let block = output.block(frameCount: frameCount)
        player.render(
            RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: rate, transport: Transport(),
                isOffline: settings.isOffline, inputs: from, outputs: block))
        sampleTime += Int64(frameCount)
        for channel in 0..<channelCount {
            result.channels[channel] += UnsafeBufferPointer(start: block[channel], count: frameCount)
        }
        if !toleratesDeath { try check() }
    }

    /// Renders a sound in blocks of these sizes, and what is left of it in blocks of the last size.
    ///
    /// `perform` is called before each block, with its first frame counted from the start of the sound.
    func render(
        _ sound: Sound, blocks: [Int] = [], _ perform: (Int) throws(CaseEnd) -> Void = { (_) throws(CaseEnd) in }
    ) throws(CaseEnd) -> Sound {
        var result = Sound(channelCount: channelCount, frameCount: 0)
        for channel in 0..<channelCount { result.channels[channel].reserveCapacity(sound.frameCount) }
        var sizes = blocks[...]
        var start = 0
        while start < sound.frameCount {
            try perform(start)
            let size = sizes.popFirst() ?? blocks.last ?? settings.maximumFrameCount
            let count = min(size, sound.frameCount - start)
            try renderBlock(sound, from: start, count, into: &result)
            start += count
        }
        return result
    }

    /// Renders silence.
    func renderSilence(_ frameCount: Int) throws(CaseEnd) -> Sound {
        try render(Sound(channelCount: channelCount, frameCount: frameCount))
    }

    /// Renders noise from the case's seed.
    func renderNoise(_ frameCount: Int, level: Float = 0.5) throws(CaseEnd) -> Sound {
        try render(Sound.noise(channelCount, frameCount: frameCount, level: level, using: &trial.random))
    }
}

// MARK: - Whether all is well with the unit

extension Bench {
    private func check() throws(CaseEnd) {
        guard !member.isPresent || !faults.isEmpty || chain.missedDeadlineCount > 0 else { return }
        // The supervisor knows in a moment what it was.
        let deadline = MonotonicClock.now() + 2_000_000_000
        while faults.isEmpty, MonotonicClock.now() < deadline { Futex.pause(microseconds: 500) }
        throw faultEnd ?? .hung("It did not answer while \(trial.activity.current).")
    }

    /// What went wrong, but for invalid audio: that is told when the bench is closed.
    private var faults: [PluginFault] { member.faults.records.map(\.fault).filter { $0 != .invalidAudio(.refused) } }

    private var faultEnd: CaseEnd? {
        guard let fault = faults.first else { return nil }
        return CaseEnd(fault, "\"\(unit.name)\" \(fault), while \(trial.activity.current).")
    }
}
