// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's side of one unit: writes requests, reads replies, and plays the fallback. Render thread.

import AudioUnits
import CWireLayout
import ControlMessages
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

/// Who may use a unit's region at the moment.
enum UnitAvailability: UInt32 {
    /// The control thread: the unit is gone, or not there yet.
    case absent = 0
    /// The render thread, from its next cycle on.
    case ready = 1
    /// The render thread is in a cycle.
    case rendering = 2
}

/// Everything that the render thread touches of a unit, at one address while its chain lives.
///
/// While the unit is absent the control thread owns all of it but `availability`, and prepares it anew.
struct UnitRenderer: ~Copyable {
    let availability = Atomic<UInt32>(UnitAvailability.absent.rawValue)
    /// Set by the supervisor when the process has ended, for peers without a lifeline.
    let processEnded = Atomic<Bool>(false)
    let isBypassed = Atomic<Bool>(false)
    /// Nanoseconds that the unit itself took for its last block, and the sequence numbers, for the supervisor.
    let renderNanoseconds = Atomic<UInt64>(0)
    /// Monotonic time since which an answer is outstanding; zero while none is.
    let outstandingSince = Atomic<UInt64>(0)
    /// The request whose answer is outstanding.
    private let outstandingSequence = Atomic<UInt64>(0)
    let latencyFrameCount = Atomic<Int>(0)

    /// In process: whom to call. Nil for a unit in its own process.
    var inProcess: (table: UnsafePointer<CPluginInterface_Table>, unit: UnsafeMutableRawPointer)?
    var region: Region
    let doorbell: SharedFutexWord
    let outputLayout: AudioMemoryLayout
    /// Channels of output bus 0, which the chain carries on.
    let channelCount: Int

    private let output: UnsafeMutablePointer<Float>
    private let outputChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var eventWriter: EventRingWriter
    private var eventReader: EventRingReader
    /// From the control threads to this thread, and back.
    private var commands: EventRingReader
    private var notices: EventRingWriter
    private let lanes: UnsafeMutablePointer<AutomationReader>
    private let laneCount: Int
    private var crossfade: Crossfade
    private var dry: DryDelay

    /// The newest request written; and whether the unit has been granted it and not answered.
    private(set) var sequence: UInt64 = 0
    private(set) var isOutstanding = false
    private(set) var isUsable = false
    /// The block of the output memory in which this cycle's result lies.
    private(set) var slot = 0
    private var mustCatchUp = false
    /// The unit has come back and has not been heard yet.
    private var isReturning = false
    private var mustReset = false
    /// The first frame of the cycle.
    private var sampleTime: Int64 = 0

    init(
        region: Region, memory: UnitMemory, channelCount: Int, commands: EventRingReader, notices: EventRingWriter,
        lanes: [AutomationLane], dry: consuming DryDelay, sampleRate: Double
    ) {
        self.region = region
        doorbell = memory.doorbell
        outputLayout = memory.outputLayout
        output = memory.output
        self.channelCount = channelCount
        outputChannels = .allocate(capacity: max(1, channelCount))
        eventWriter = region.hostToPluginWriter()
        eventReader = region.pluginToHostReader()
        self.commands = commands
        self.notices = notices
        laneCount = lanes.count
        self.lanes = .allocate(capacity: max(1, lanes.count))
        for (index, lane) in lanes.enumerated() { (self.lanes + index).initialize(to: AutomationReader(lane)) }
        crossfade = Crossfade(channelCount: channelCount, sampleRate: sampleRate)
        self.dry = dry
    }

    deinit {
        outputChannels.deallocate()
        lanes.deinitialize(count: laneCount)
        lanes.deallocate()
    }

    /// `[control]` Prepares for a unit that has just allocated in `region`, freshly formatted.
    ///
    /// Only while the unit is absent. `isFresh` is false for a unit that takes up where another one died.
    mutating func prepare(region: Region, isFresh: Bool) {
        self.region = region
        eventWriter = region.hostToPluginWriter()
        eventReader = region.pluginToHostReader()
        sequence = 0
        isOutstanding = false
        isUsable = false
        outstandingSince.store(0, ordering: .relaxed)
        processEnded.store(false, ordering: .relaxed)
        mustCatchUp = !isFresh
        isReturning = !isFresh
        mustReset = false
    }
}

// MARK: - The course of a cycle

extension UnitRenderer {
    /// Takes the unit for this cycle, if it is there; afterwards `isUsable` says whether it can render.
    @_noLocks
    mutating func begin(cycleIndex: UInt64, sampleTime: Int64) {
        self.sampleTime = sampleTime
        isUsable = false
        let ready = UnitAvailability.ready.rawValue
        let taken = availability.compareExchange(
            expected: ready, desired: UnitAvailability.rendering.rawValue, ordering: .acquiringAndReleasing)
        guard taken.exchanged else {
            slot = Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1)
            return
        }
        if isDead { return lose(cycleIndex) }
        if isOutstanding { settle(cycleIndex) }
        isUsable = !isOutstanding
        slot = isUsable ? slot(of: sequence &+ 1) : slot(of: sequence) ^ 1
    }

    /// Gives the unit back after the cycle.
    @_noLocks
    mutating func end() {
        let rendering = UnitAvailability.rendering.rawValue
        _ = availability.compareExchange(
            expected: rendering, desired: UnitAvailability.ready.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Whether the thread that renders is dead, as the kernel or the supervisor says.
    var isDead: Bool {
        @_noLocks get {
            inProcess == nil
                && (Lifeline.isCut(region.lifeline.load()) || processEnded.load(ordering: .acquiring))
        }
    }

    /// Whether the newest request has been answered.
    var isComplete: Bool {
        @_noLocks get { region.completedSequence.load() == sequence }
    }

    /// The unit is dead: hands its memory to the control thread.
    @_noLocks
    mutating func lose(_ cycleIndex: UInt64) {
        isUsable = false
        isOutstanding = false
        slot = Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1)
        outstandingSince.store(0, ordering: .relaxed)
        notify(.died, cycleIndex)
        // Release: this thread is done with the region.
        availability.store(UnitAvailability.absent.rawValue, ordering: .releasing)
    }

    /// The unit has been granted its request and has not answered in time.
    @_noLocks
    mutating func leaveOutstanding(_ cycleIndex: UInt64, isToBlame: Bool, now: UInt64) {
        isOutstanding = true
        isUsable = false
        outstandingSequence.store(sequence, ordering: .relaxed)
        // Release: the number is that of this request for whoever sees the time.
        outstandingSince.store(now, ordering: .releasing)
        // A predecessor that answered may not have rung it; perhaps there is no next cycle to notice.
        repeatRing()
        if isToBlame { notify(.late, cycleIndex) }
        // The unit may still be writing its block; the fallback goes to the other one.
        slot = slot(of: sequence) ^ 1
    }

    /// Looks whether an outstanding answer has come.
    @_noLocks
    private mutating func settle(_ cycleIndex: UInt64) {
        guard isComplete else { return repeatRing() }
        isOutstanding = false
        // Automation has moved on meanwhile.
        mustCatchUp = true
        outstandingSince.store(0, ordering: .relaxed)
        notify(.caughtUp, cycleIndex)
    }

    /// `[control]` Monotonic time since which an answer is awaited, or nil while none is. One that has come is awaited
    /// no more, even if no cycle follows in which the render thread would notice. Supervisor only.
    var awaitsSince: UInt64? {
        let since = outstandingSince.load(ordering: .acquiring)
        let sequence = outstandingSequence.load(ordering: .relaxed)
        // The same time again: the number belongs to it.
        guard since != 0, region.completedSequence.load() != sequence, outstandingSince.load(ordering: .acquiring) == since
        else { return nil }
        return since
    }

    /// Grants the newest request unless it is granted. A predecessor may have failed to, or, waking long after its own
    /// block, have written an old number over the doorbell.
    @_noLocks
    func repeatRing() {
        if doorbell.load() != UInt32(truncatingIfNeeded: sequence) { grant() }
    }

    @_noLocks
    private func slot(of sequence: UInt64) -> Int {
        Int(truncatingIfNeeded: sequence) & (outputLayout.slotCount - 1)
    }

    /// This unit's block of this cycle.
    @_noLocks
    func outputBlock(frameCount: Int) -> AudioBlock {
        for channel in 0..<channelCount {
            outputChannels[channel] = output + outputLayout.sampleOffset(slot: slot, channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(outputChannels), channelCount: channelCount, frameCount: frameCount)
    }
}

// MARK: - Request and reply

extension UnitRenderer {
    /// Whether what this unit puts out has to pass through the host before the next one reads it.
    var endsRun: Bool {
        @_noLocks get { inProcess != nil || crossfade.isActive }
    }

    /// Writes the next request into its slot and publishes it. The unit does not run until it is granted.
    @_noLocks
    mutating func publish(_ cycle: RenderCycle, inputSlot: Int, successorRing: UInt32?) {
        sequence &+= 1
        let eventCount = writeEvents(cycle)
        let request = region.request(sequence)
        request.pointee = WireRequest(
            cycle, sequence: sequence, eventCount: eventCount, outputSlot: slot, inputSlot: inputSlot)
        if isBypassed.load(ordering: .relaxed) { request.pointee.flags |= UInt32(CWireLayout_requestBypass) }
        if mustReset { request.pointee.flags |= UInt32(CWireLayout_requestReset) }
        mustReset = false
        if let successorRing {
            request.pointee.flags |= UInt32(CWireLayout_requestRingSuccessor)
            request.pointee.successorRing = successorRing
        }
        // Release: request and events are there for whoever sees this number.
        region.publishedSequence.store(sequence)
    }

    /// Names another block for the input of a request that has not been granted yet.
    @_noLocks
    func redirectInput(to inputSlot: Int) { region.request(sequence).pointee.inputSlots.0 = UInt8(inputSlot) }

    /// Lets the unit run its newest request.
    @_noLocks
    func grant() {
        doorbell.store(UInt32(truncatingIfNeeded: sequence))
        Futex.wake(doorbell.address)
    }

    /// Whether the newest request has been granted, by whoever.
    var isGranted: Bool {
        @_noLocks get { doorbell.load() == UInt32(truncatingIfNeeded: sequence) }
    }

    /// Runs the newest request here and now, in the host's own process.
    @_noLocks
    func renderInProcess() {
        guard let inProcess else { return }
        CPluginInterface_render(inProcess.table, inProcess.unit, sequence)
    }

    /// Takes the reply; false when the block cannot be used.
    @_noLocks
    mutating func takeReply(frameCount: Int, cycleIndex: UInt64) -> Bool {
        let reply = region.reply(sequence).pointee
        forwardEvents(cycleIndex)
        renderNanoseconds.store(reply.renderNanoseconds, ordering: .relaxed)
        latencyFrameCount.store(Int(reply.latencyFrameCount), ordering: .relaxed)
        guard reply.sequence == sequence, reply.status == UInt32(CWireLayout_replyOK),
            Int(reply.outputFrameCount) == frameCount
        else {
            notify(.invalidReply, cycleIndex)
            return false
        }
        return true
    }

    /// Completes the unit's block: as it is, faded, or replaced by the dry signal.
    @_noLocks
    mutating func finish(input: AudioBlock, didRender: Bool, cycleIndex: UInt64) {
        let block = outputBlock(frameCount: input.frameCount)
        let dry = dry.process(input)
        if didRender {
            crossfade.unitRendered(block, dry: dry)
            if isReturning { notify(.recovered, cycleIndex) }
            isReturning = false
        } else {
            crossfade.unitMissing(block, dry: dry)
        }
    }

    /// Tells the control thread, which counts what finds no room.
    @_noLocks
    mutating func notify(_ notice: UnitNotice, _ cycleIndex: UInt64) {
        _ = notices.write(WireEvent(notice, cycleIndex: cycleIndex, sampleTime: sampleTime))
    }
}

// MARK: - Events

extension UnitRenderer {
    /// Moves what the control thread asked for, and what automation says, into the ring; how many events.
    @_noLocks
    private mutating func writeEvents(_ cycle: RenderCycle) -> UInt32 {
        var count: UInt32 = 0
        if mustCatchUp { catchUp(cycle.sampleTime, &count) }
        mustCatchUp = false
        if case .count(let waiting) = commands.available() {
            for _ in 0..<min(waiting, eventWriter.freeCount()) { take(commands.next(), &count) }
        }
        let end = cycle.sampleTime &+ Int64(cycle.frameCount)
        for lane in 0..<laneCount {
            while let (change, time) = lanes[lane].takeChange(before: end) {
                // What finds no room is made up for in the next block.
                if !write(RenderEvent.parameter(change).wireEvent(at: time), &count) { mustCatchUp = true }
            }
        }
        return count
    }

    @_noLocks
    private mutating func take(_ command: WireEvent, _ count: inout UInt32) {
        if command.isReset {
            mustReset = true
        } else {
            write(command, &count)
        }
    }

    @_noLocks
    private mutating func catchUp(_ sampleTime: Int64, _ count: inout UInt32) {
        for lane in 0..<laneCount {
            guard let (now, ahead) = lanes[lane].catchUp(to: sampleTime) else { continue }
            write(RenderEvent.parameter(now).wireEvent(at: sampleTime), &count)
            write(RenderEvent.parameter(ahead).wireEvent(at: sampleTime), &count)
        }
    }

    @_noLocks @discardableResult
    private mutating func write(_ event: WireEvent, _ count: inout UInt32) -> Bool {
        let isWritten = eventWriter.write(event)
        if isWritten { count &+= 1 }
        return isWritten
    }

    /// Passes on what the unit says: a bounded number a cycle, so that a flood costs the host nothing.
    @_noLocks
    private mutating func forwardEvents(_ cycleIndex: UInt64) {
        switch eventReader.available() {
        case .violation: notify(.invalidEvents, cycleIndex)
        case .count(let count):
            for _ in 0..<min(count, 64) {
                let event = eventReader.next()
                // Only what the protocol knows goes on; a notice cannot be forged.
                if case .some = RenderEvent(event) { _ = notices.write(event) }
            }
        }
    }
}

extension WireRequest {
    @_noLocks
    fileprivate init(_ cycle: RenderCycle, sequence: UInt64, eventCount: UInt32, outputSlot: Int, inputSlot: Int) {
        self.init()
        self.sequence = sequence
        sampleTime = cycle.sampleTime
        hostTime = cycle.hostTime
        inputFrameCount = UInt32(cycle.frameCount)
        outputFrameCount = UInt32(cycle.frameCount)
        flags = cycle.isOffline ? UInt32(CWireLayout_requestOffline) : 0
        transportFlags = cycle.transport.isPlaying ? UInt32(CWireLayout_transportPlaying) : 0
        tempo = cycle.transport.tempo
        beatPosition = cycle.transport.beatPosition
        timeSignatureNumerator = cycle.transport.timeSignatureNumerator
        timeSignatureDenominator = cycle.transport.timeSignatureDenominator
        self.eventCount = eventCount
        self.outputSlot = UInt32(outputSlot)
        inputSlots.0 = UInt8(inputSlot)
    }
}
