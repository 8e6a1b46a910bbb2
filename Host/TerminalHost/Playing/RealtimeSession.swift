// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain that plays in real time: a driver, a plan, and changes of the driver's rate. Main thread.

import AudioFiles
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

/// A chain that plays on a driver.
final class RealtimeSession {
    /// The most frames in a cycle: PipeWire's largest quantum.
    private static let maximumFrameCount = 8192

    let driver: any AudioDriver
    let player: PlanPlayer
    /// Rings at the first cycle after a rest, at a failure of the driver or a unit, and when the user wants to end.
    let wakeUp: EventDescriptor
    let units: [HostedUnit]
    private(set) var chain: UnitChain
    private(set) var samples: SamplePlayer?
    /// Records what is played, for the demonstration.
    private(set) var tap: SampleTap?
    /// Quarantined effects, which were not started.
    let leftOut: [LeftOut]
    private var quarantine = QuarantineKeeper()
    private var keeper: SessionKeeper
    private let arguments: ChainArguments
    private let source: SessionSource
    private let channelCount: Int
    private let policy: ChainPolicy
    /// Whether all units render at once, each another of the driver's blocks.
    private let isPipelined: Bool
    private let tapSeconds: Double
    /// Only for a report, because it wakes two thousand times a second.
    private var stallWatch: StallWatch?
    private var deadlines: DeadlineAccount
    private var mixer = Mixer(inputCount: 1)
    private(set) var sampleRate: Double
    /// The processor of the driver's thread.
    private var renderCore: Int?
    private var renderRank = SchedulingClass.ordinary

    /// Starts the driver, and then the chain at the driver's rate.
    init(
        driver: any AudioDriver, arguments: ChainArguments, source: SessionSource, channelCount: Int,
        policy: ChainPolicy = ChainPolicy(), isPipelined: Bool = false, keptFor command: String? = nil, isReported: Bool = false,
        tapSeconds: Double = 0
    ) throws {
        self.driver = driver
        wakeUp = try EventDescriptor()
        player = PlanPlayer(wakeUp: wakeUp)
        self.source = source
        self.channelCount = channelCount
        self.policy = policy
        self.isPipelined = isPipelined
        keeper = SessionKeeper(command)
        self.tapSeconds = tapSeconds
        deadlines = DeadlineAccount(of: player, watches: [])
        let (complete, registry) = try arguments.completed()
        let (arguments, leftOut) = try complete.withoutQuarantined(registry)
        self.arguments = arguments
        self.leftOut = leftOut
        units = try arguments.instantiate(from: registry)
        if !ConfinementOffer.current.gaps.isEmpty {
            Terminal.printError(
                "This machine confines plug-ins less than it could. What is missing, and what to change: bulkhead doctor")
        }
        driver.tellOfFailure(event: wakeUp.descriptor)
        Interruption.tell(wakeUp.bell)
        do {
            try driver.start(player.callback)
            sampleRate = try Self.waitForRate(of: driver)
            chain = try UnitChain(
                arguments.links(units, sampleRate: sampleRate), format: Self.format(sampleRate, channelCount),
                policy: isPipelined ? policy.pipelined(frameCount: driver.status.quantum) : policy)
            try play()
        } catch {
            driver.stop()
            Interruption.tell(.none)
            throw error
        }
        place()
        if isReported { try watchMachine() }
    }

    private static func format(_ sampleRate: Double, _ channelCount: Int) -> ChainFormat {
        ChainFormat(sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, channelCount: channelCount)
    }

    /// The driver's rate after its first cycle.
    private static func waitForRate(of driver: any AudioDriver) throws -> Double {
        let deadline = MonotonicClock.now() + 5_000_000_000
        while MonotonicClock.now() < deadline {
            if let failure = driver.failure { throw CommandError.failed(failure) }
            let status = driver.status
            if status.sampleRate > 0, status.quantum > 0, driver.renderThreadIdentifier != nil { return status.sampleRate }
            try Interruption.check()
            usleep(2000)
        }
        throw CommandError.failed(
            "The audio driver did not ask for any audio within 5 seconds. Is a sound card or another sink there? See: wpctl status")
    }

    private func play() throws {
        for member in chain.members { member.faults.tell(wakeUp) }
        var builder = RenderPlanBuilder(channelCount: channelCount, maximumFrameCount: Self.maximumFrameCount)
        let wet: Signal
        switch source {
        case .file(let audio, let isLooping):
            let converted = try audio.converted(to: sampleRate)
            let samples = SamplePlayer(playing: converted, isLooping: isLooping)
            self.samples = samples
            wet = builder.add(chain, after: builder.add(source: samples))
        case .driverInputs: wet = builder.add(source: chain)
        }
        var output = builder.add(mixer, of: [wet])
        if tapSeconds > 0 {
            let tap = SampleTap(channelCount: channelCount, frameCapacity: Int(tapSeconds * sampleRate))
            self.tap = tap
            output = builder.add(tap, after: output)
        }
        let plan = builder.plan(output: output)
        player.play(plan)
        (driver as? any LatencyReporting)?.setLatency(frameCount: plan.latencyFrameCount)
    }

    /// Places the driver's thread and the units on one processor, the units at lower ranks, and all other threads elsewhere.
    ///
    /// A system call of another thread may take longer than a cycle, and not every kernel preempts it.
    private func place() {
        guard let thread = driver.renderThreadIdentifier else { return }
        let rank = Scheduling.schedulingClass(ofThread: thread) ?? .ordinary
        renderRank = rank
        let processor = Scheduling.lastProcessor(ofThread: thread)
        renderCore = processor
        if let processor {
            try? Scheduling.setProcessors([processor], ofThread: thread)
            for other in Scheduling.threads(ofProcess: getpid())
            where other != thread && Scheduling.schedulingClass(ofThread: other) == .ordinary {
                Scheduling.keep(thread: other, off: processor)
            }
        }
        chain.place(processor: processor, below: rank)
    }

    /// Follows the driver's thread to another processor or rank.
    private func followThread() {
        guard let thread = driver.renderThreadIdentifier, let renderCore else { return }
        let rank = Scheduling.schedulingClass(ofThread: thread) ?? .ordinary
        if Scheduling.lastProcessor(ofThread: thread) != renderCore || rank != renderRank { place() }
    }

    /// Starts to watch the render processor for stalls.
    private func watchMachine() throws {
        let watch = try StallWatch(processor: driver.renderThreadIdentifier.flatMap { Scheduling.lastProcessor(ofThread: $0) })
        stallWatch = watch
        deadlines = DeadlineAccount(of: player, watches: [watch])
    }

    /// Follows the driver to another rate, for which the units get new resources.
    ///
    /// Call it about 20 times a second.
    ///
    /// A pipeline stays when the quantum changes. It takes blocks of all sizes; longer blocks add latency.
    func followDriver() throws {
        player.collectRetiredPlans()
        deadlines.settle()
        quarantine.remember(chain)
        keeper.keep(chain) { try arguments.keptUnits(chain.members, leftOut: leftOut) }
        followThread()
        let status = driver.status
        guard status.sampleRate > 0, status.quantum > 0, status.sampleRate != sampleRate else { return }
        silence()
        sampleRate = status.sampleRate
        var links = try arguments.links(units, sampleRate: sampleRate)
        for (index, member) in chain.members.enumerated() { links[index].isBypassed = member.isBypassed }
        // The old chain goes first, because the new one takes over its units.
        chain.tearDown()
        chain = try UnitChain(
            links, format: Self.format(sampleRate, channelCount),
            policy: isPipelined ? policy.pipelined(frameCount: status.quantum) : policy)
        mixer = Mixer(inputCount: 1)
        try play()
        place()
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
        guard chain.members.indices.contains(number - 1) else { return }
        chain.members[number - 1].isBypassed.toggle()
    }

    /// Changes to an empty plan and waits until the render thread has released the old one.
    private func silence() {
        var empty = RenderPlanBuilder(channelCount: channelCount, maximumFrameCount: Self.maximumFrameCount)
        let signal = empty.add(Mixer(inputCount: 0), of: [])
        player.play(empty.plan(output: signal))
        let deadline = MonotonicClock.now() + 1_000_000_000
        while player.collectRetiredPlans() > 1, MonotonicClock.now() < deadline { usleep(1000) }
    }

    /// Fades out and stops the driver.
    func stop() {
        if driver.failure == nil {
            mixer.strips[0].volume = 0
            let status = driver.status
            let cycle = status.sampleRate > 0 ? Double(status.quantum) / status.sampleRate : 0
            usleep(useconds_t((0.025 + 2 * cycle) * 1e6))
        }
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
        return Report(
            command: command, sampleRate: sampleRate, quantum: status.quantum, cycles: statistics.cycles,
            missedDeadlines: missedDeadlineCount, missedWhileMachineStoodStill: stalledDeadlineCount,
            machineStalls: stallWatch?.summary.map(Report.MachineStalls.init), driverXruns: status.xruns,
            latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics.longestNanoseconds) / 1000, units: Report.units(of: chain), leftOut: leftOut
        )
    }
}

/// A driver that can report the latency of its output.
protocol LatencyReporting {
    func setLatency(frameCount: Int)
}
