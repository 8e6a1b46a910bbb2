// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain of effects that plays in real time: a driver, an engine, and changes of the driver's rate. Main thread.

import AudioFiles
import AudioGraph
import Confinement
import Console
import Control
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// The source of a session.
enum SessionSource {
    case file(LoadedAudio, isLooping: Bool)
    case driverInputs
    /// A MIDI file, which plays the instruments.
    case song(MIDISongFile, isLooping: Bool)
    /// What comes in by MIDI plays the instruments.
    case midiPorts

    /// What the first units of a chain hear.
    var kind: ChainSource {
        switch self {
        case .file, .driverInputs: .sound
        case .song(let song, _): .song(path: song.path)
        case .midiPorts: .midiPort
        }
    }

    /// What plays the instruments, for messages; nil where sound does.
    var midiSentence: String? {
        switch self {
        case .file, .driverInputs: nil
        case .song(let song, _): "\"\(song.path)\" is MIDI"
        case .midiPorts: "MIDI is to play this chain"
        }
    }
}

/// A chain of effects that plays on a driver.
final class RealtimeSession {
    let driver: any AudioDriver
    /// Rings at the first cycle after a rest, when something happens to the driver or an effect, and when the user wants to end.
    let wakeUp: EventDescriptor
    /// What clients control: the graph that plays, its scenes and its history.
    let session: Session
    let player: PlanPlayer
    /// What plays the file; nil where the driver's inputs are the source.
    private let source: (node: AudioPlayerNode, audio: LoadedAudio, isLooping: Bool)?
    /// Whether a MIDI file plays to its end.
    private var endsWithSong = false
    private let channelCount: Int
    /// The frames of the file at the source's rate.
    private var scheduledFrameCount = 0
    /// Records what is played, for the demonstration.
    let tap: SampleTap?
    /// The metronome, and what records.
    let sound: ConnectedSound
    /// Keeps the performance; nil unless the user wants that.
    let capture: PerformanceRecorder?
    /// Quarantined effects, which were not started.
    let leftOut: [LeftOut]
    /// Each time that an effect was left out because it refused the rate.
    private var leftOutAtRates: [LeftOut] = []
    private var quarantine = QuarantineKeeper()
    private var keeper: SessionKeeper
    private let deviceMessages: DeviceMessages
    /// Only for a report, because it wakes two thousand times a second.
    private var stallWatch: StallWatch?
    private var deadlines: DeadlineAccount
    private(set) var sampleRate: Double

    /// Starts the effects and the driver.
    init(
        driver: any AudioDriver, arguments: ChainArguments, resuming resumed: ResumedSession? = nil, source: SessionSource,
        channelCount: Int, layout: ChannelLayout? = nil,
        policy: UnitPolicy = UnitPolicy(), isPipelined: Bool = false, keptFor command: String? = nil, isReported: Bool = false,
        tapSeconds: Double = 0, sound arguedSound: SoundArguments = SoundArguments(), named name: String = "play"
    ) throws {
        self.driver = driver
        wakeUp = try EventDescriptor()
        keeper = SessionKeeper(command)
        let start = try resumed.map { SessionStart.resumed($0, arguments) } ?? .chain(arguments, playedBy: source)
        leftOut = start.leftOut
        self.channelCount = channelCount
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
            tap =
                tapSeconds > 0
                ? SampleTap(channelCount: channelCount, frameCapacity: Int(tapSeconds * sampleRate)) : nil
            let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
            try Self.connectOutput(of: engine, through: tap.map { AudioRenderNode($0, name: "Tap") }, format)
            sound = try arguedSound.connect(in: engine, format, beside: source)
            var songs: [MIDISongFile] = []
            var input: AudioNode?
            var played: (AudioPlayerNode, LoadedAudio, Bool)?
            switch source {
            case .file(let audio, let isLooping):
                let node = AudioPlayerNode()
                _ = try engine.attach(node).get()
                played = (node, audio, isLooping)
                input = try Self.mixDown(audio, of: node, to: format, in: engine)
            case .song(let song, let isLooping):
                songs = [song]
                if isLooping, song.lengthInBeats > 0 { engine.transport.loopRange = 0..<song.lengthInBeats }
                endsWithSong = !isLooping
            case .midiPorts, .driverInputs: break
            }
            self.source = played
            let graph = try start.build(
                into: engine, playedBy: source.kind, songs, at: .scene("chain", input: input, format: format))
            graph.play()
            session = try Session(named: name, graph, allowing: start.allowances, ringing: wakeUp)
            if let failure = session.controlFailure { Terminal.printError("This host cannot be controlled: \(failure)") }
            if let resumed { session.take(scenesOf: resumed.file) }
            let isLoopedSong = if case .song(_, isLooping: true) = source { true } else { false }
            let (playing, heard) = (session, input ?? (graph.document.readsInput ? engine.inputNode : nil))
            capture = try arguedSound.capturePath.map { path in
                try PerformanceRecorder(
                    path, of: playing, input: heard, output: engine.mainMixerNode, format,
                    CaptureFacts(command: name, loopsSong: isLoopedSong))
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
        try session.begin()
        keepThreadsAway()
        if isReported { try watchMachine() }
    }

    /// The graph that plays.
    var chain: BuiltGraph { session.graph }

    /// Connects the main mixer to the output: the speakers are those of the source to the very end.
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

    /// What the chain hears of a file: the player, or a mixer behind it where the file has more channels than the chain.
    private static func mixDown(
        _ audio: LoadedAudio, of player: AudioPlayerNode, to format: AudioFormat, in engine: AudioEngine
    ) throws -> AudioNode {
        let isOther = format.layout != nil && audio.channelLayout != format.layout
        guard audio.channelCount > format.channelCount || isOther else { return player }
        // On two channels a file that does not say what its own stand for is mixed by their number.
        let layout = audio.channelLayout ?? (format.channelCount > 2 ? .usual(audio.channelCount) : nil)
        let mixer = AudioMixerNode()
        _ = try engine.attach(mixer).get()
        try engine.connect(
            player, to: mixer,
            format: AudioFormat(sampleRate: format.sampleRate, channelCount: audio.channelCount, layout: layout))
        return mixer
    }

    /// Has the source play the file, at the rate that the driver has now.
    ///
    /// At another rate later, the engine converts what the source plays.
    private func schedule() throws {
        guard let (node, audio, isLooping) = source else { return }
        let converted = try audio.converted(to: sampleRate)
        guard let whole = converted.buffer(channelCount: max(channelCount, audio.channelCount)) else {
            throw CommandError.failed("There is no memory for \(converted.frameCount) frames of audio.")
        }
        scheduledFrameCount = converted.frameCount
        _ = try node.scheduleBuffer(whole, options: isLooping ? .loops : []).get()
        node.play()
    }

    /// Whether the file has been played to its end.
    var isAtEnd: Bool {
        if endsWithSong { return chain.isAtEndOfSong }
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
        keeper.keep(session)
        session.followUnitPorts()
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
        return changes.map(\.sentence) + session.takeUnitPortMessages()
    }

    /// Keeps which effects were left out, for the report.
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

    /// Whether no work is left while no cycle comes.
    var isSettled: Bool { chain.isWhole && !keeper.isDue(session) && !session.isRinging }

    /// Releases and restarts the quarantined effects.
    func releaseQuarantined() { quarantine.release(chain) }

    /// Bypasses an effect or ends its bypass.
    ///
    /// The first one is number 1.
    func toggleBypass(ofEffect number: Int) {
        let units = chain.units
        guard units.indices.contains(number - 1) else { return }
        units[number - 1].unit.shouldBypassEffect.toggle()
    }

    /// Silences the metronome, because what it counts is over.
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
        keeper.keep(session, isLast: true)
        // What the units have met is still to be reported, so they keep their resources.
        chain.engine.pause()
        driver.stop()
        Interruption.tell(.none)
        stallWatch?.stop()
        deadlines.settle()
    }

    /// Completes the recording and the capture, if there are any.
    ///
    /// Throws what has gone wrong with it.
    func finishRecording() throws {
        let captured = Result { try capture?.finish() }
        try sound.recorder?.finish()
        try captured.get()
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
