// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one request: takes its events, splits the block where they lie, runs the kernel. Render thread.

import CWireLayout
import ControlMessages
import LinuxSystem
import Realtime
import Wire

/// All state of a unit's render thread, at one address for as long as resources are allocated.
///
/// The same core serves a unit in its own process and one inside the host, so that both sound alike.
struct RenderCore: ~Copyable {
    private let inPlace = InPlace()
    private let region: Region
    private var kernel: VouchedKernel
    /// Where a new kernel comes from, for a bridged unit.
    private let renewal: RenewalPort?
    /// The kernel has been given away, to be replaced.
    private var isBeingRenewed = false
    /// The kernel has rendered nothing since it was made.
    private var isFresh = true
    private var invalidCount: UInt32 = 0
    /// Requests in a row in which the plug-in put out something that is no number.
    private var invalidStreak = 0
    /// After so many no new kernel is tried any more, until the plug-in gets well or the unit is reset.
    private static let longestInvalidStreak = 8
    private var delays: (latency: Int, tail: Int)
    /// The kernel bypasses itself; `bypass` is at rest.
    private let kernelHasBypass: Bool
    /// What the control thread asks for too, at an address of its own.
    let parameters: UnsafeMutablePointer<ParameterTable>
    /// What has been taken over of what the control thread restored.
    private var seenGeneration: UInt64 = 0
    private let inputs: BusBlocks
    private let outputs: BusBlocks
    private var bypass: Bypass
    private var queue = EventQueue()
    private var reader: EventRingReader
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private var wasBypassed = false
    /// The request that is being rendered, or was at last: a copy, which the host changes no more.
    private(set) var request = WireRequest()
    private var stopwatch = Stopwatch()

    init(
        region: Region, kernel: KernelBox, parameters: consuming ParameterTable, inputs: consuming BusBlocks,
        outputs: consuming BusBlocks, bypass: consuming Bypass, renewal: RenewalPort?
    ) {
        self.region = region
        kernelHasBypass = kernel.hasBypass
        let vouched = VouchedKernel(kernel)
        // Asked in this way rather than directly: unoptimised code looks its types up, under a lock, at its first such
        // call, which must not be one while rendering.
        delays = vouched.delays()
        self.kernel = vouched
        self.renewal = renewal
        self.parameters = .allocate(capacity: 1)
        self.parameters.initialize(to: parameters)
        self.inputs = inputs
        self.outputs = outputs
        self.bypass = bypass
        reader = region.hostToPluginReader()
        writer = .allocate(capacity: 1)
        writer.initialize(to: region.pluginToHostWriter())
        droppedCount = .allocate(capacity: 1)
        droppedCount.initialize(to: 0)
    }

    deinit {
        parameters.deinitialize(count: 1)
        parameters.deallocate()
        writer.deallocate()
        droppedCount.deallocate()
    }

    /// `[control]` While nothing renders.
    var latencyFrameCount: Int { delays.latency }
    var tailFrameCount: Int { delays.tail }

    /// `[render]` Renders the request with this number and publishes the reply. Rings nobody.
    @_noLocks
    mutating func render(_ sequence: UInt64) {
        stopwatch.start()
        let mode = FloatingPointMode.disableDenormals()
        request = region.request(sequence).pointee
        var reply = WireReply()
        reply.sequence = sequence
        reply.status = status(sequence)
        takeEvents(request.eventCount)
        if reply.status == UInt32(CWireLayout_replyOK) {
            let invalidBefore = invalidCount
            renderBlock()
            if !judge(isInvalid: invalidCount != invalidBefore) { reply.status = UInt32(CWireLayout_replyUnable) }
            reply.outputFrameCount = request.outputFrameCount
            reply.inputFrameCount = request.inputFrameCount
        }
        if !isBeingRenewed { delays = kernel.delays() }
        reply.latencyFrameCount = UInt32(clamping: delays.latency)
        reply.tailFrameCount = UInt32(clamping: delays.tail)
        reply.droppedEventCount = droppedCount.pointee
        reply.invalidStretchCount = invalidCount
        mode.restore()
        reply.renderNanoseconds = stopwatch.stop()
        region.reply(sequence).pointee = reply
        // Release: the reply and the audio are there for whoever sees this number.
        region.completedSequence.store(sequence)
    }
}

extension RenderCore {
    @_noLocks
    private func status(_ sequence: UInt64) -> UInt32 {
        let maximum = region.header.maximumFrameCount
        guard request.outputFrameCount <= maximum, request.inputFrameCount <= maximum else {
            return UInt32(CWireLayout_replyTooManyFrames)
        }
        guard request.sequence == sequence, slotsExist else { return UInt32(CWireLayout_replyMalformed) }
        return UInt32(CWireLayout_replyOK)
    }

    private var slotsExist: Bool {
        @_noLocks get {
            for bus in 0..<outputs.busCount where Int(request.outputSlot) >= outputs.slotCount(bus) { return false }
            for bus in 0..<inputs.busCount {
                if inputSlot(bus) >= inputs.slotCount(bus) { return false }
                if Int(request.inputFrameCount) > inputs.frameCapacity(bus) { return false }
            }
            return true
        }
    }

    @_noLocks
    private func inputSlot(_ bus: Int) -> Int {
        // Eight bytes, that of the first bus the lowest.
        let slots = UInt64(littleEndian: unsafeBitCast(request.inputSlots, to: UInt64.self))
        return Int(truncatingIfNeeded: slots &>> UInt64(truncatingIfNeeded: 8 &* bus) & 0xFF)
    }

    /// Moves the request's events from the ring into the queue of what lies ahead.
    @_noLocks
    private mutating func takeEvents(_ eventCount: UInt32) {
        guard eventCount > 0, case .count(let available) = reader.available() else { return }
        for _ in 0..<min(Int(eventCount), available) {
            if !queue.insert(reader.next()) { droppedCount.pointee &+= 1 }
        }
    }

    @_noLocks
    private mutating func renderBlock() {
        if request.flags & UInt32(CWireLayout_requestReset) != 0 { reset() }
        takeWantedValues()
        if !kernelHasBypass { bypass.set(isBypassed) }
        if bypass.isComplete {
            wasBypassed = true
            applyDueEvents(before: request.sampleTime &+ Int64(request.outputFrameCount))
            point(start: 0, frameCount: Int(request.outputFrameCount))
        } else {
            // The kernel slept while it was bypassed; what it remembers is of another time.
            if wasBypassed, !isBeingRenewed { kernel.reset() }
            wasBypassed = false
            if renderSegments() > 1 { point(start: 0, frameCount: Int(request.outputFrameCount)) }
        }
        bypass.process(input: inputs.blocks[0], output: outputs.blocks[0])
    }

    /// Renders from event to event, so that each takes effect at its own frame. How many segments there were.
    @_noLocks
    private mutating func renderSegments() -> Int {
        let frameCount = Int(request.outputFrameCount)
        if request.inputFrameCount != request.outputFrameCount {
            // Input and output frames do not correspond: events take effect at the start of the block.
            applyDueEvents(before: request.sampleTime &+ Int64(max(1, frameCount)))
            renderSegment(start: 0, frameCount: frameCount)
            return 1
        }
        var (start, segmentCount) = (0, 0)
        while start < frameCount {
            let now = request.sampleTime &+ Int64(start)
            applyDueEvents(before: now &+ 1)
            // Whatever is left in the queue lies after `now`; nonsense far ahead does not end the segment.
            var end = frameCount
            if let next = queue.nextTime, next &- request.sampleTime < Int64(frameCount) {
                end = Int(truncatingIfNeeded: next &- request.sampleTime)
            }
            renderSegment(start: start, frameCount: end - start)
            start = end
            segmentCount += 1
        }
        return segmentCount
    }

    @_noLocks
    private mutating func renderSegment(start: Int, frameCount: Int) {
        point(start: start, frameCount: frameCount)
        let block = RenderBlock(
            inputBuses: UnsafePointer(inputs.blocks), outputBuses: UnsafePointer(outputs.blocks),
            emitter: EventEmitter(writer: writer, droppedCount: droppedCount, parameters: parameters.pointee.cells),
            inputBusCount: inputs.busCount,
            outputBusCount: outputs.busCount, sampleTime: request.sampleTime &+ Int64(start),
            transport: transport(start),
            isOffline: request.flags & UInt32(CWireLayout_requestOffline) != 0)
        guard hasKernel(waits: block.isOffline) else { return silenceOutputs() }
        if kernelHasBypass { kernel.setBypassed(isBypassed) }
        kernel.render(block)
        isFresh = false
        if renewal != nil { dropInvalidAudio() }
    }

    /// The song as it is `start` frames into the request.
    @_noLocks
    private func transport(_ start: Int) -> TransportState {
        let isPlaying = request.transportFlags & UInt32(CWireLayout_transportPlaying) != 0
        let passed = isPlaying && start > 0 ? Double(start) * request.tempo / 60 / region.header.sampleRate : 0
        return TransportState(
            isPlaying: isPlaying, tempo: request.tempo, beatPosition: request.beatPosition + passed,
            timeSignatureNumerator: request.timeSignatureNumerator,
            timeSignatureDenominator: request.timeSignatureDenominator)
    }

    private var isBypassed: Bool {
        @_noLocks get { request.flags & UInt32(CWireLayout_requestBypass) != 0 }
    }

    @_noLocks
    private func point(start: Int, frameCount: Int) {
        let stretches = request.inputFrameCount != request.outputFrameCount
        let inputCount = stretches ? Int(request.inputFrameCount) : frameCount
        for bus in 0..<inputs.busCount {
            inputs.point(bus, at: inputSlot(bus), start: start, frameCount: inputCount)
        }
        for bus in 0..<outputs.busCount {
            outputs.point(bus, at: Int(request.outputSlot), start: start, frameCount: frameCount)
        }
    }

    @_noLocks
    private mutating func applyDueEvents(before time: Int64) {
        while let next = queue.nextTime, next < time {
            switch RenderEvent(queue.removeFirst()) {
            case .parameter(let change):
                if let accepted = parameters.pointee.accept(change) {
                    if !isBeingRenewed { kernel.apply(accepted) }
                } else {
                    droppedCount.pointee &+= 1
                }
            case .midi(let message):
                // Classic plug-ins believe what they are sent, and index with it.
                if renewal == nil || message.isWhole {
                    if !isBeingRenewed { kernel.handle(message) }
                } else {
                    droppedCount.pointee &+= 1
                }
            case nil: droppedCount.pointee &+= 1
            }
        }
    }

    /// Takes over what the control thread restored.
    @_noLocks
    private mutating func takeWantedValues() {
        let generation = parameters.pointee.generation
        guard generation != seenGeneration else { return }
        seenGeneration = generation
        for index in 0..<parameters.pointee.count {
            guard let change = parameters.pointee.takeWanted(index), let accepted = parameters.pointee.accept(change) else {
                continue
            }
            if !isBeingRenewed { kernel.apply(accepted) }
        }
    }

    /// Forgets sound, not what the host has ordered: queued changes take effect all the same.
    @_noLocks
    mutating func reset() {
        bypass.reset()
        invalidStreak = 0
        if renewal == nil || (isFresh && !isBeingRenewed) { kernel.reset() } else { renew() }
    }
}

// MARK: - Bridged units

extension RenderCore {
    /// Whether the request was rendered, or silence for a while until a new kernel comes. It was not when none is to be
    /// had, and when a plug-in puts out no numbers whatever is done for it.
    @_noLocks
    private mutating func judge(isInvalid: Bool) -> Bool {
        if isInvalid { invalidStreak = min(invalidStreak &+ 1, Self.longestInvalidStreak) }
        if !isInvalid, !isBeingRenewed { invalidStreak = 0 }
        if isBeingRenewed, let renewal, renewal.hasFailed { return false }
        return !isInvalid || invalidStreak < Self.longestInvalidStreak
    }

    /// Asks for a new kernel. What is rendered until it comes is silence.
    @_noLocks
    private mutating func renew() {
        guard let renewal, !isBeingRenewed || renewal.hasFailed else { return }
        isBeingRenewed = true
        renewal.want(replacing: kernel.release())
    }

    /// Whether there is a kernel to render with. A new one is told all values first.
    @_noLocks
    private mutating func hasKernel(waits: Bool) -> Bool {
        guard isBeingRenewed else { return true }
        guard let made = renewal?.take(waits: waits) else { return false }
        kernel.adopt(made)
        for index in 0..<parameters.pointee.count {
            if let change = parameters.pointee.settableValue(index) { kernel.apply(change) }
        }
        kernel.reset()
        isBeingRenewed = false
        isFresh = true
        return true
    }

    @_noLocks
    private func silenceOutputs() {
        for bus in 0..<outputs.busCount { outputs.blocks[bus].silence() }
    }

    /// A classic plug-in that puts out something that is no number is not heard, and made anew: by itself it would
    /// hardly ever get well.
    @_noLocks
    private mutating func dropInvalidAudio() {
        var isInvalid = false
        for bus in 0..<outputs.busCount where !outputs.blocks[bus].isFinite { isInvalid = true }
        guard isInvalid else { return }
        invalidCount &+= 1
        silenceOutputs()
        if invalidStreak &+ 1 < Self.longestInvalidStreak { renew() }
    }
}
