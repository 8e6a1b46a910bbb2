// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit in an engine, between buffers in memory, rendered block by block. Thread of the case.

import AudioGraph
import AudioUnits
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// The conditions under which a unit is rendered.
struct BenchSettings {
    var sampleRate = 48_000.0
    var maximumFrameCount = 512
    /// The number of channels; nil for the unit's preferred number.
    var channelCount: Int?
    var automation: [AutomationLane] = []
    var hasSideChain = false
    /// True if rendering is offline; otherwise blocks have a deadline of a thousand times their length.
    var isOffline = true
}

/// One unit, ready to render.
final class Bench {
    let unit: HostedUnit
    /// The unit's render resources, which its supervisor watches.
    let member: UnitResources
    let settings: BenchSettings
    let channelCount: Int
    private let trial: Trial
    private let engine: AudioEngine
    private let driver: SteppedDriver
    private(set) var sampleTime: Int64 = 0
    private var isClosed = false
    /// True if the case tests the unit's death, so that rendering must continue after it.
    var toleratesDeath = false

    init(_ trial: Trial, _ unit: HostedUnit, _ settings: BenchSettings = BenchSettings()) throws(CaseEnd) {
        guard let channelCount = settings.channelCount ?? unit.chainChannelCount else {
            throw .takesNoEqualChannels
        }
        self.trial = trial
        self.unit = unit
        self.settings = settings
        self.channelCount = channelCount
        driver = SteppedDriver(
            channelCount: channelCount, inputChannelCount: channelCount, maximumFrameCount: settings.maximumFrameCount,
            sampleRate: settings.sampleRate)
        engine = AudioEngine(driver: driver)
        let effect = AudioUnitEffect(PluginUnit(unit))
        effect.options.lanes = settings.automation
        do throws(AudioEngineError) {
            try engine.play(through: effect, settings, channelCount)
        } catch {
            throw CaseEnd(error)
        }
        guard let member = effect.unit.resources else { throw .failed("It got no resources.") }
        self.member = member
        try startNote()
    }

    deinit { engine.stop() }

    /// Starts a note for an instrument, which is silent without one.
    func startNote() throws(CaseEnd) {
        guard unit.description.inputs.isEmpty, unit.description.flags.contains(.midiInput) else { return }
        try trial.attempt { () throws(HostingError) in try unit.send(MIDIMessage(0x90, 60, 100)) }
    }

    /// The number of rendered blocks.
    var blockCount: UInt64 { driver.status.cycles }

    /// Frees the unit's resources.
    ///
    /// Throws if the unit died of that, or was already faulty.
    func close() throws(CaseEnd) {
        guard !isClosed else { return }
        isClosed = true
        engine.stop()
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
        let from = driver.input(frameCount: frameCount)
        for channel in 0..<min(channelCount, sound.channelCount) {
            sound.channels[channel].withUnsafeBufferPointer { samples in
                for frame in 0..<frameCount { from[channel][frame] = samples[start + frame] }
            }
        }
        // The deadline is a thousand blocks away: only the unit can be late then, not a busy machine.
        let block = driver.render(frameCount: frameCount, isOffline: settings.isOffline, slowdown: settings.isOffline ? 1 : 1000)
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

// MARK: - Health of the unit

extension Bench {
    private func check() throws(CaseEnd) {
        guard !member.isPresent || !faults.isEmpty || missedDeadlineCount > 0 else { return }
        // The supervisor needs a moment to find the cause.
        let deadline = MonotonicClock.now() + 2_000_000_000
        while faults.isEmpty, MonotonicClock.now() < deadline { Futex.pause(microseconds: 500) }
        throw faultEnd ?? .hung("It did not answer while \(trial.activity.current).")
    }

    /// Blocks in which the unit missed its deadline.
    private var missedDeadlineCount: UInt64 { engine.rows.reduce(0) { $0 + $1.missedDeadlineCount } }

    /// The unit's faults, except invalid audio, which `close` reports.
    private var faults: [PluginFault] { member.faults.records.map(\.fault).filter { $0 != .invalidAudio(.refused) } }

    private var faultEnd: CaseEnd? {
        guard let fault = faults.first else { return nil }
        return CaseEnd(fault, "\"\(unit.name)\" \(fault), while \(trial.activity.current).")
    }
}
