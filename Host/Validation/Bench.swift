// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain of one unit between buffers in memory, rendered block by block. Thread of the case.

import AudioUnits
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// How a unit is rendered.
struct BenchSettings {
    var sampleRate = 48_000.0
    var maximumFrameCount = 512
    /// Nil for the number that the unit prefers.
    var channelCount: Int?
    var automation: [AutomationLane] = []
    var hasSideChain = false
    /// False for blocks with a deadline, a thousand times their length.
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
    /// Whether a death of the unit is what the case tests, so that rendering goes on.
    var toleratesDeath = false

    init(_ trial: Trial, _ unit: HostedUnit, _ settings: BenchSettings = BenchSettings()) throws(CaseEnd) {
        guard let channelCount = settings.channelCount ?? unit.chainChannelCount else {
            throw .notApplicable("Its buses take no equal number of channels in and out, so that no chain can hold it.")
        }
        self.trial = trial
        self.unit = unit
        self.settings = settings
        self.channelCount = channelCount
        // The case judges the output as it is, however loud.
        var policy = ChainPolicy()
        policy.ceiling = nil
        // Blocks follow each other without a pause, so no thread of the unit can sleep for its share of the time.
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

    /// Starts a note for an instrument, which is silent without one.
    private func startNote() throws(CaseEnd) {
        guard unit.description.inputs.isEmpty, unit.description.flags.contains(.midiInput) else { return }
        try trial.attempt { () throws(HostingError) in try unit.send(MIDIMessage(0x90, 60, 100)) }
    }

    var member: ChainMember { chain.members[0] }

    /// Frees the unit's resources.
    ///
    /// It throws when the unit died of that, or was faulty before.
    func close() throws(CaseEnd) {
        guard !isClosed else { return }
        isClosed = true
        chain.tearDown()
        let count = member.invalidStretchCount
        if count > 0 {
            trial.warn(
                "It put out NaN or infinity \(Wording.count(count, "time")) while \(trial.activity.current), and was recreated."
            )
        }
        if !toleratesDeath, let end = faultEnd { throw end }
    }

    /// Renders one block of a sound from frame `start` on, and appends the output to `result`.
    private func renderBlock(_ sound: Sound, from start: Int, _ frameCount: Int, into result: inout Sound) throws(CaseEnd) {
        let from = input.block(frameCount: frameCount)
        for channel in 0..<min(channelCount, sound.channelCount) {
            sound.channels[channel].withUnsafeBufferPointer { samples in
                for frame in 0..<frameCount { from[channel][frame] = samples[start + frame] }
            }
        }
        // The deadline is a thousand blocks away: the unit is late then, and not the machine busy.
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

    /// Renders a sound in blocks of these sizes, and the rest in blocks of the last size.
    ///
    /// `perform` is called before each block, with the block's first frame, counted from the start of the sound.
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
        // The supervisor finds out the cause in a moment.
        let deadline = MonotonicClock.now() + 2_000_000_000
        while faults.isEmpty, MonotonicClock.now() < deadline { Futex.pause(microseconds: 500) }
        throw faultEnd ?? .hung("It did not answer while \(trial.activity.current).")
    }

    /// The unit's faults, except invalid audio, which `close` reports.
    private var faults: [PluginFault] { member.faults.records.map(\.fault).filter { $0 != .invalidAudio(.refused) } }

    private var faultEnd: CaseEnd? {
        guard let fault = faults.first else { return nil }
        return CaseEnd(fault, "\"\(unit.name)\" \(fault), while \(trial.activity.current).")
    }
}
