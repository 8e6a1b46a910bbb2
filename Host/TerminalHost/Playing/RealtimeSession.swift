// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain of effects that plays in real time: a driver, an engine, and changes of the driver's rate. Main thread.

import AudioFiles
import AudioGraph
import Confinement
import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// The source of a session.
enum SessionSource {
    case file(LoadedAudio, isLooping: Bool)
    case driverInputs
}

/// A chain of effects that plays on a driver.
final class RealtimeSession {
    let driver: any AudioDriver
    /// Rings at the first cycle after a rest, when something happens to the driver or an effect, and when the user wants to end.
    let wakeUp: EventDescriptor
    let units: [HostedUnit]
    let chain: EffectChain
    let player: PlanPlayer
    /// What plays the file; nil where the driver's inputs are the source.
    private let source: (node: AudioPlayerNode, audio: LoadedAudio, isLooping: Bool)?
    /// The frames of the file at the source's rate.
    private var scheduledFrameCount = 0
    /// Records what is played, for the demonstration.
    let tap: SampleTap?
    /// Quarantined effects, which were not started.
    let leftOut: [LeftOut]
    /// Each time that an effect was left out because it refused the rate.
    private var leftOutAtRates: [LeftOut] = []
    private var quarantine = QuarantineKeeper()
    private var keeper: SessionKeeper
    private let arguments: ChainArguments
    private let deviceMessages: DeviceMessages
    /// Only for a report, because it wakes two thousand times a second.
    private var stallWatch: StallWatch?
    private var deadlines: DeadlineAccount
    private(set) var sampleRate: Double

    /// Starts the effects and the driver.
    init(
        driver: any AudioDriver, arguments: ChainArguments, source: SessionSource, channelCount: Int,
        layout: ChannelLayout? = nil,
        policy: ChainPolicy = ChainPolicy(), isPipelined: Bool = false, keptFor command: String? = nil, isReported: Bool = false,
        tapSeconds: Double = 0
    ) throws {
        self.driver = driver
        wakeUp = try EventDescriptor()
        keeper = SessionKeeper(command)
        let (complete, registry) = try arguments.completed()
        let (arguments, leftOut) = try complete.withoutQuarantined(registry)
        self.arguments = arguments
        self.leftOut = leftOut
        units = try arguments.instantiate(from: registry)
        if !ConfinementOffer.current.gaps.isEmpty {
            Terminal.printError(
                "This machine confines plug-ins less than it could. What is missing, and what to change: bulkhead doctor")
        }
        Interruption.tell(wakeUp.bell)
        let engine = AudioEngine(driver: driver)
        engine.ring(wakeUp)
        deviceMessages = DeviceMessages(of: engine, ringing: wakeUp)
        engine.setPolicy(policy, isPipelined: isPipelined)
        do {
            try engine.awaitRate()
            sampleRate = driver.status.sampleRate
            chain = try EffectChain(
                units, arguments, channelCount: channelCount, layout: layout, on: engine)
            tap =
                tapSeconds > 0
                ? SampleTap(channelCount: channelCount, frameCapacity: Int(tapSeconds * sampleRate)) : nil
            let ear = tap.map { AudioRenderNode($0, name: "Tap") }
            if let ear { _ = try engine.attach(ear).get() }
            switch source {
            case .file(let audio, let isLooping):
                let node = AudioPlayerNode()
                _ = try engine.attach(node).get()
                self.source = (node, audio, isLooping)
                let first = try Self.mixDown(audio, of: node, to: chain, sampleRate: sampleRate)
                try chain.connect(from: first, sampleRate: sampleRate, through: ear)
            case .driverInputs:
                self.source = nil
                try chain.connect(from: engine.inputNode, sampleRate: sampleRate, through: ear)
            }
            try engine.start()
        } catch {
            engine.stop()
            Interruption.tell(.none)
            throw error
        }
        guard let player = engine.player else { throw CommandError.failed("The engine did not start.") }
        self.player = player
        deadlines = DeadlineAccount(of: player, watches: [])
        for member in chain.members { member.faults.tell(wakeUp) }
        try schedule()
        keepThreadsAway()
        if isReported { try watchMachine() }
    }

    /// What the chain hears of a file: the player, or a mixer behind it where the file has more channels than the chain.
    private static func mixDown(
        _ audio: LoadedAudio, of player: AudioPlayerNode, to chain: EffectChain, sampleRate: Double
    ) throws -> AudioNode {
        let isOther = chain.layout != nil && audio.channelLayout != chain.layout
        guard audio.channelCount > chain.channelCount || isOther else { return player }
        // On two channels a file that does not say what its own stand for is mixed by their number.
        let layout = audio.channelLayout ?? (chain.channelCount > 2 ? .usual(audio.channelCount) : nil)
        let mixer = AudioMixerNode()
        _ = try chain.engine.attach(mixer).get()
        try chain.engine.connect(
            player, to: mixer,
            format: AudioFormat(sampleRate: sampleRate, channelCount: audio.channelCount, layout: layout))
        return mixer
    }

    /// Has the source play the file, at the rate that the driver has now.
    ///
    /// At another rate later, the engine converts what the source plays.
    private func schedule() throws {
        guard let (node, audio, isLooping) = source else { return }
        let converted = try audio.converted(to: sampleRate)
        guard let whole = converted.buffer(channelCount: max(chain.channelCount, audio.channelCount)) else {
            throw CommandError.failed("There is no memory for \(converted.frameCount) frames of audio.")
        }
        scheduledFrameCount = converted.frameCount
        _ = try node.scheduleBuffer(whole, options: isLooping ? .loops : []).get()
        node.play()
    }

    /// Whether the file has been played to its end.
    var isAtEnd: Bool {
        guard let source, !source.isLooping else { return false }
        return Int(source.node.playerTime.sampleTime ?? 0) >= scheduledFrameCount
    }

    /// Keeps all ordinary threads of the program off the driver's processor.
    ///
    /// A system call of another thread may take longer than a cycle, and not every kernel preempts it. The engine places its own.
    private func keepThreadsAway() {
        guard let thread = driver.renderThreadIdentifier, let rank = Scheduling.schedulingClass(ofThread: thread),
            rank != .ordinary, let processor = Scheduling.lastProcessor(ofThread: thread)
        else { return }
        for other in Scheduling.threads(ofProcess: getpid())
        where other != thread && Scheduling.schedulingClass(ofThread: other) == .ordinary {
            Scheduling.keep(thread: other, off: processor)
        }
    }

    /// Starts to watch the render processor for stalls.
    private func watchMachine() throws {
        let watch = try StallWatch(processor: driver.renderThreadIdentifier.flatMap { Scheduling.lastProcessor(ofThread: $0) })
        stallWatch = watch
        deadlines = DeadlineAccount(of: player, watches: [watch])
    }

    /// Follows the driver to another rate, for which the engine gives the units new resources.
    ///
    /// Call it about 20 times a second.
    func followDriver() throws {
        deadlines.settle()
        quarantine.remember(chain)
        keeper.keep(chain) { try arguments.keptUnits(zip(units, chain.effects.map(\.unit.shouldBypassEffect)), leftOut: leftOut) }
        guard let rate = chain.engine.sampleRate, rate != sampleRate else { return }
        sampleRate = rate
        for member in chain.members { member.faults.tell(wakeUp) }
    }

    /// What has happened to the driver, its devices and its rate since the last call, as sentences.
    func takeDeviceMessages() -> [String] {
        let changes = deviceMessages.take()
        // The driver has a new thread.
        if changes.contains(.driverReturned) { keepThreadsAway() }
        remember(changes)
        return changes.map(\.sentence)
    }

    /// Keeps which effects were left out, for the report.
    private func remember(_ changes: [AudioEngineConfigurationChange]) {
        var rate = sampleRate
        for change in changes {
            switch change {
            case .rateChanged(_, let new): rate = new
            case .unitLeftOut(let name, let reason):
                guard
                    let index = chain.effects.firstIndex(where: { $0.name == name && $0.isLeftOut })
                        ?? chain.effects.firstIndex(where: { $0.name == name })
                else { continue }
                let id = chain.effects[index].unit.component.id
                leftOutAtRates.append(LeftOut(id: id, name: name, reason: reason, sampleRate: rate, index: index, saved: nil))
            default: break
            }
        }
    }

    /// The latency of the chain in seconds.
    var latencySeconds: Double { Double(chain.latencyFrameCount) / sampleRate }

    /// Whether no work is left while no cycle comes.
    var isSettled: Bool { chain.isWhole && !keeper.isDue(chain) }

    /// Releases and restarts the quarantined effects.
    func releaseQuarantined() { quarantine.release(chain) }

    /// Bypasses an effect or ends its bypass.
    ///
    /// The first one is number 1.
    func toggleBypass(ofEffect number: Int) {
        guard chain.effects.indices.contains(number - 1) else { return }
        chain.effects[number - 1].unit.shouldBypassEffect.toggle()
    }

    /// Fades out and stops the driver.
    func stop() {
        if driver.failure == nil {
            chain.engine.mainMixerNode.outputVolume = 0
            let status = driver.status
            let cycle = status.sampleRate > 0 ? Double(status.quantum) / status.sampleRate : 0
            usleep(useconds_t((0.025 + 2 * cycle) * 1e6))
        }
        // What the units have met is still to be reported, so they keep their resources.
        chain.engine.pause()
        driver.stop()
        Interruption.tell(.none)
        stallWatch?.stop()
        deadlines.settle()
    }

    /// Cycles of the host that missed their deadline: all of them, and those missed while the machine stalled.
    ///
    /// The second is nil where stalls are not watched.
    var missedDeadlineCount: UInt64 { deadlines.count }
    var stalledDeadlineCount: UInt64? { stallWatch?.summary.map { _ in deadlines.stalledCount } }

    func report(command: String) -> Report {
        let statistics = player.statistics
        let status = driver.status
        // What has not been shown any more belongs in the report as well.
        remember(deviceMessages.take())
        return Report(
            command: command, sampleRate: sampleRate, quantum: status.quantum, cycles: statistics.cycles,
            missedDeadlines: missedDeadlineCount, missedWhileMachineStoodStill: stalledDeadlineCount,
            machineStalls: stallWatch?.summary.map(Report.MachineStalls.init), driverXruns: status.xruns,
            latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics.longestNanoseconds) / 1000, units: Report.units(of: chain),
            leftOut: leftOut + leftOutAtRates)
    }
}
