// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain that is played in real time: a driver, a plan, and what happens when the driver's rate changes. Main thread.

import AudioFiles
import Confinement
import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// What a session plays through its chain.
enum SessionSource {
    case file(LoadedAudio, isLooping: Bool)
    case driverInputs
}

/// A chain under way on a driver.
final class RealtimeSession {
    /// Frames that a cycle may have; PipeWire's largest quantum.
    private static let maximumFrameCount = 8192

    let driver: any AudioDriver
    let player: PlanPlayer
    /// Rung by the first cycle after a rest, by a failure of the driver or a unit, and when the user wants to end.
    let news: EventDescriptor
    let units: [HostedUnit]
    private(set) var chain: UnitChain
    private(set) var samples: SamplePlayer?
    /// What was played, while somebody wants to know.
    private(set) var tap: SampleTap?
    /// Effects that were not started, because they had died too often.
    let leftOut: [LeftOut]
    private var quarantine = QuarantineKeeper()
    private var keeper: SessionKeeper
    private let arguments: ChainArguments
    private let source: SessionSource
    private let channelCount: Int
    private let policy: ChainPolicy
    /// Whether the units render at the same time, each another of the driver's blocks.
    private let isPipelined: Bool
    private let tapSeconds: Double
    /// Only where somebody will read what it saw: it wakes two thousand times a second.
    private var stallWatch: StallWatch?
    private var deadlines: DeadlineAccount
    private var mixer = Mixer(inputCount: 1)
    private(set) var sampleRate: Double
    /// Where the driver's thread has been placed.
    private var renderCore: Int?
    private var renderRank = SchedulingClass.ordinary

    /// Starts the driver, and the chain at the rate that the driver turns out to have.
    init(
        driver: any AudioDriver, arguments: ChainArguments, source: SessionSource, channelCount: Int,
        policy: ChainPolicy = ChainPolicy(), isPipelined: Bool = false, keptFor command: String? = nil, isReported: Bool = false,
        tapSeconds: Double = 0
    ) throws {
        self.driver = driver
        news = try EventDescriptor()
        player = PlanPlayer(wakeUp: news)
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
        driver.tellOfFailure(event: news.descriptor)
        Interruption.tell(news.bell)
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

    /// The driver's rate, once its first cycle has come.
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
        for member in chain.members { member.faults.tell(news) }
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

    /// Puts host and units on the processor that the driver's thread is on, the units below it in rank, and every other thread
    /// of the host elsewhere: what they ask of the kernel may take longer than a cycle, and not every kernel interrupts itself.
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

    /// Follows the driver's thread when somebody has moved it, or given it another rank.
    private func followThread() {
        guard let thread = driver.renderThreadIdentifier, let renderCore else { return }
        let rank = Scheduling.schedulingClass(ofThread: thread) ?? .ordinary
        if Scheduling.lastProcessor(ofThread: thread) != renderCore || rank != renderRank { place() }
    }

    /// Looks from now on whether the machine stands still where the cycles are rendered.
    private func watchMachine() throws {
        let watch = try StallWatch(processor: driver.renderThreadIdentifier.flatMap { Scheduling.lastProcessor(ofThread: $0) })
        stallWatch = watch
        deadlines = DeadlineAccount(of: player, watches: [watch])
    }

    /// Follows a driver whose rate has changed: the units get resources for the new one. To be called now and then.
    ///
    /// A pipeline stays as it is when the quantum changes: it takes blocks of all sizes, and is later by what longer ones take longer.
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
        // The old chain goes first: its units are those of the new one.
        chain.tearDown()
        chain = try UnitChain(
            links, format: Self.format(sampleRate, channelCount),
            policy: isPipelined ? policy.pipelined(frameCount: status.quantum) : policy)
        mixer = Mixer(inputCount: 1)
        try play()
        place()
    }

    /// Seconds after which what goes into the chain comes out.
    var latencySeconds: Double { Double(chain.latencyFrameCount) / sampleRate }

    /// Whether nothing is left to be done while no cycle comes.
    var isSettled: Bool { chain.isWhole && !keeper.isDue(chain) }

    /// Has the effects that died too often started anew.
    func releaseQuarantined() { quarantine.release(chain) }

    /// Bypasses an effect, or has it heard again. The first one is number 1.
    func toggleBypass(ofEffect number: Int) {
        guard chain.members.indices.contains(number - 1) else { return }
        chain.members[number - 1].isBypassed.toggle()
    }

    /// Changes to an empty plan and waits until the render thread has let go of the old one.
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

    /// Cycles that took longer than they last; the driver's own do not count. All of them, and those of them that nobody
    /// could have met because the machine stood still: nil where nobody looks.
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

/// A driver that can tell others how late its output is.
protocol LatencyReporting {
    func setLatency(frameCount: Int)
}
