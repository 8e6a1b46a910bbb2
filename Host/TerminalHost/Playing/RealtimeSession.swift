// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph that plays in real time: a driver, an engine, and a session for clients. Main thread.

import AudioFiles
import AudioFormats
import AudioGraph
import Confinement
import Console
import Control
import FoundationEssentials
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting
import Rendering

/// A chain or a graph that plays on a driver, set up in one way for all commands that play.
final class RealtimeSession {
    let driver: any AudioDriver
    /// Rings at the first cycle after a rest, at a change of the driver or an effect, and at the user's wish to end.
    let wakeUp: EventDescriptor
    /// The session that clients control: the graph that plays, its scenes and its history.
    let session: Session
    let player: PlanPlayer
    private var source: ConnectedSource
    /// Records the output, for the demonstration.
    let tap: SampleTap?
    /// The metronome and the recording.
    let sound: ConnectedSound
    /// The capture of the performance; nil unless the user wants one.
    let capture: PerformanceRecorder?
    /// Quarantined effects, which were not started.
    let leftOut: [LeftOut]
    /// The effects that refused the rate and were left out, once for each time.
    private var leftOutAtRates: [LeftOut] = []
    private var quarantine = QuarantineRecorder()
    private var autosave: SessionAutosave
    private let deviceMessages: DeviceMessages
    private var warnings = DriverWarnings()
    /// A watch for stalls, only for a report, because it wakes two thousand times a second.
    private var stallWatch: StallWatch?
    private var deadlines: DeadlineAccount
    private(set) var sampleRate: Double
    /// The processor that the program's threads keep off; nil until the engine has chosen it.
    private var keptProcessor: Int?

    /// The wishes of a command.
    struct Wishes {
        var policy = PolicyArguments().policy
        /// True if several units render different blocks at once.
        var isPipelined = false
        /// The name under which the session is kept for `--resume`; nil if it is not kept.
        var keptFor: String?
        /// True if there is a report, with the machine's stalls.
        var isReported = false
        /// The seconds that are recorded in memory.
        var tapSeconds = 0.0
        var sound = SoundArguments()
        /// The name of the host.
        var name = "play"
    }

    /// Makes the graph in an engine, and starts the driver.
    init(
        driver: any AudioDriver, _ start: SessionStart, source: SessionSource, channelCount: Int, layout: ChannelLayout? = nil,
        _ wishes: Wishes
    ) throws {
        self.driver = driver
        wakeUp = try EventDescriptor()
        autosave = SessionAutosave(wishes.keptFor)
        leftOut = start.leftOut
        Interruption.tell(wakeUp.bell)
        let engine = AudioEngine(driver: driver)
        engine.ring(wakeUp)
        deviceMessages = DeviceMessages(of: engine, ringing: wakeUp)
        engine.setPolicy(wishes.policy, isPipelined: wishes.isPipelined)
        do {
            start.namePorts(of: engine)
            try engine.awaitRate()
            sampleRate = driver.status.sampleRate
            let frameCapacity = Int(nearestFrame: wishes.tapSeconds * sampleRate)
            tap = frameCapacity > 0 ? SampleTap(channelCount: channelCount, frameCapacity: frameCapacity) : nil
            let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
            if start.isChain { try Self.connectOutput(of: engine, through: tap.map { AudioRenderNode($0, name: "Tap") }, format) }
            sound = try wishes.sound.connect(in: engine, format, beside: source)
            self.source = try ConnectedSource(source, in: engine, format)
            let graph = try start.build(into: engine, behind: self.source, format)
            graph.play()
            session = try Session(named: wishes.name, graph, allowing: start.allowances, ringing: wakeUp)
            if let failure = session.controlFailure { Terminal.printError("This host cannot be controlled: \(failure)") }
            if let resumed = start.resumed { session.take(scenesOf: resumed.file) }
            let heard = self.source.input ?? (graph.document.readsInput ? engine.inputNode : nil)
            let (playing, facts) = (session, CaptureFacts(command: wishes.name, loopsSong: self.source.loopsSong))
            capture = try wishes.sound.capturePath.map { path in
                try PerformanceRecorder(path, of: playing, input: heard, output: engine.mainMixerNode, format, facts)
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
        try self.source.schedule(at: sampleRate, channelCount: channelCount)
        try session.begin()
        keepThreadsAway()
        if wishes.isReported { try watchMachine() }
    }

    /// The graph that plays.
    var chain: BuiltGraph { session.graph }

    /// Connects the main mixer to the output; all connections have the speakers of the source.
    private static func connectOutput(of engine: AudioEngine, through ear: AudioRenderNode?, _ format: AudioFormat) throws {
        try engine.edit {
            guard let ear else {
                try engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
                return
            }
            _ = try engine.attach(ear).get()
            try engine.connect(engine.mainMixerNode, to: ear, format: format)
            try engine.connect(ear, to: engine.outputNode, format: format)
        }
    }

    /// True at the end of the source.
    var isAtEnd: Bool { source.isAtEnd(of: chain) }

    /// Keeps all ordinary threads of the program off the processor of the driver, once the engine has chosen it.
    ///
    /// Another thread's system call may take longer than a cycle, and not every kernel preempts it.
    private func keepThreadsAway() {
        guard let thread = driver.renderThreadIdentifier, let processor = chain.engine.renderProcessor, processor != keptProcessor
        else { return }
        keptProcessor = processor
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

    /// Follows the driver to another rate, for which the engine allocates the units again.
    ///
    /// Call it about 20 times a second.
    func followDriver() throws {
        keepThreadsAway()
        deadlines.settle()
        quarantine.remember(chain)
        autosave.save(session)
        session.followUnitPorts()
        guard let rate = chain.engine.sampleRate, rate != sampleRate else { return }
        sampleRate = rate
        for member in chain.members { member.faults.tell(wakeUp) }
    }

    /// Takes the sentences about changes of the driver, its devices and its rate since the last call.
    func takeDeviceMessages() -> [String] {
        let changes = deviceMessages.take()
        // The driver has a new thread.
        if changes.contains(.driverReturned) { keptProcessor = nil }
        remember(changes)
        return changes.map(\.sentence) + warnings.take(from: driver) + session.takeUnitPortMessages()
    }

    /// Keeps the effects that were left out, for the report.
    private func remember(_ changes: [AudioEngineConfigurationChange]) {
        var rate = sampleRate
        for change in changes {
            switch change {
            case .rateChanged(_, let new): rate = new
            case .unitLeftOut(let name, let reason):
                let units = chain.units
                guard let index = units.firstIndex(where: { $0.name == name }) else { continue }
                let id = units[index].unit.component.id
                leftOutAtRates.append(LeftOut(id: id, name: name, reason: reason, sampleRate: rate, index: index, saved: nil))
            default: break
            }
        }
    }

    /// The latency of the chain in seconds.
    var latencySeconds: Double { Double(chain.latencyFrameCount) / sampleRate }

    /// True if no work is left while no cycle comes.
    var isSettled: Bool { chain.isWhole && !autosave.isDue(session) && !session.isRinging }

    /// Releases and restarts the quarantined effects.
    func releaseQuarantined() { quarantine.release(chain) }

    /// Bypasses an effect, or ends its bypass.
    ///
    /// Effects are counted from 1.
    func toggleBypass(ofEffect number: Int) {
        let units = chain.units
        guard units.indices.contains(number - 1) else { return }
        units[number - 1].unit.shouldBypassEffect.toggle()
    }

    /// Silences the metronome at the end of the song that it counts.
    func endMetronome() { sound.metronome?.volume = 0 }

    /// Fades out and stops the driver.
    func stop() {
        if driver.failure == nil {
            chain.engine.mainMixerNode.outputVolume = 0
            sound.metronome?.volume = 0
            let status = driver.status
            let cycle = status.sampleRate > 0 ? Double(status.quantum) / status.sampleRate : 0
            usleep(useconds_t((0.025 + 2 * cycle) * 1e6))
        }
        session.end()
        autosave.save(session, isLast: true)
        // The report still needs the units' records, so the units keep their resources.
        chain.engine.pause()
        driver.stop()
        Interruption.tell(.none)
        stallWatch?.stop()
        deadlines.settle()
    }

    /// Completes the recording and the capture, if there are any.
    ///
    /// Throws the first error of either.
    func finishRecording() throws {
        let captured = Result { try capture?.finish() }
        try sound.recorder?.finish()
        try captured.get()
    }

    /// The host's cycles that missed their deadline: all of them, and those missed while the machine stalled.
    ///
    /// The second is nil without a watch for stalls.
    var missedDeadlineCount: UInt64 { deadlines.count }
    var stalledDeadlineCount: UInt64? { stallWatch?.summary.map { _ in deadlines.stalledCount } }

    func report(command: String) -> Report {
        let statistics = player.statistics
        let status = driver.status
        // Changes that were not shown belong in the report, too.
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
