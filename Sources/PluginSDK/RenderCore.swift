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
    /// What the kernel said after its last block.
    private var delays: KernelDelays
    /// The kernel bypasses itself; `bypass` plays the unit alone.
    private let kernelHasBypass: Bool
    /// What the control thread asks for too, at an address of its own.
    let parameters: UnsafeMutablePointer<ParameterTable>
    /// What has been taken over of what the control thread restored.
    private var seenGeneration: UInt64 = 0
    private let inputs: BusBlocks
    private let outputs: BusBlocks
    /// What the kernel is told of the block that it renders.
    private let block: UnsafeMutablePointer<RenderBlock.Content>
    private var bypass: Bypass
    private var queue = EventQueue()
    private var reader: EventRingReader
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private var wasBypassed = false
    /// At an address of its own: a member would be copied by way of the stack.
    private let takenRequest: UnsafeMutablePointer<WireRequest>
    private var stopwatch = Stopwatch()

    init(
        region: Region, kernel: KernelBox, parameters: consuming ParameterTable, inputs: consuming BusBlocks,
        outputs: consuming BusBlocks, bypass: consuming Bypass, renewal: RenewalPort?
    ) {
        self.region = region
        kernelHasBypass = kernel.hasBypass
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
        takenRequest = .allocate(capacity: 1)
        takenRequest.initialize(to: WireRequest())
        block = .allocate(capacity: 1)
        block.initialize(
            to: RenderBlock.Content(
                inputBuses: UnsafePointer(self.inputs.blocks), outputBuses: UnsafePointer(self.outputs.blocks),
                inputBusCount: self.inputs.busCount, outputBusCount: self.outputs.busCount,
                emitter: EventEmitter(writer: writer, droppedCount: droppedCount, parameters: self.parameters.pointee.cells)))
        let vouched = VouchedKernel(kernel, block: RenderBlock(block))
        // Asked in this way rather than directly: the way is known then. Unoptimised code looks types up, under a lock, when it
        // comes by for the first time, which must not be while it renders.
        delays = vouched.delays()
        self.kernel = vouched
    }

    deinit {
        parameters.deinitialize(count: 1)
        parameters.deallocate()
        writer.deallocate()
        droppedCount.deallocate()
        block.deallocate()
        takenRequest.deallocate()
    }

    /// The request that is being rendered, or was at last: a copy, which the host changes no more.
    var request: WireRequest {
        @inline(__always) @_noLocks get { takenRequest.pointee }
    }

    /// `[control]` While nothing renders.
    var latencyFrameCount: Int { delays.latency }
    var tailFrameCount: Int { delays.tail }

    /// `[render]` Renders the request with this number and publishes the reply. Rings nobody.
    @_noLocks
    mutating func render(_ sequence: UInt64) {
        stopwatch.start()
        let mode = FloatingPointMode.disableDenormals()
        takenRequest.pointee = region.request(sequence).pointee
        var reply = WireReply()
        reply.sequence = sequence
        reply.status = UInt32(pointAtAudio(of: sequence))
        if request.eventCount > 0 { takeEvents(request.eventCount) }
        if reply.status == UInt32(CWireLayout_replyOK) {
            let invalidBefore = invalidCount
            renderBlock()
            if invalidCount == invalidBefore, !isBeingRenewed {
                invalidStreak = 0
            } else if !judge(isInvalid: invalidCount != invalidBefore) {
                reply.status = UInt32(CWireLayout_replyUnable)
            }
            reply.outputFrameCount = request.outputFrameCount
            reply.inputFrameCount = request.inputFrameCount
        }
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
    /// Points all buses at the request's audio. What to answer: that, or why there is none.
    @inline(__always) @_noLocks
    private func pointAtAudio(of sequence: UInt64) -> Int {
        let maximum = region.header.maximumFrameCount
        guard request.outputFrameCount <= maximum, request.inputFrameCount <= maximum else {
            return CWireLayout_replyTooManyFrames
        }
        guard request.sequence == sequence, pointAtWholeBlocks() else { return CWireLayout_replyMalformed }
        return CWireLayout_replyOK
    }

    /// False when a bus has no such block.
    @inline(__always) @_noLocks
    private func pointAtWholeBlocks() -> Bool {
        for bus in 0..<outputs.busCount {
            let (slot, frameCount) = (Int(request.outputSlot), Int(request.outputFrameCount))
            if !outputs.point(bus, at: slot, frameCount: frameCount) { return false }
        }
        for bus in 0..<inputs.busCount {
            if !inputs.point(bus, at: inputSlot(bus), frameCount: Int(request.inputFrameCount)) { return false }
        }
        return true
    }

    @inline(__always) @_noLocks
    private func inputSlot(_ bus: Int) -> Int {
        // Eight bytes, that of the first bus the lowest.
        let slots = UInt64(littleEndian: unsafeBitCast(request.inputSlots, to: UInt64.self))
        return Int(truncatingIfNeeded: slots &>> UInt64(truncatingIfNeeded: 8 &* bus) & 0xFF)
    }

    /// Moves the request's events from the ring into the queue of what lies ahead.
    @inline(never) @_noLocks
    private mutating func takeEvents(_ eventCount: UInt32) {
        guard case .count(let available) = reader.available() else { return }
        for _ in 0..<min(Int(eventCount), available) {
            if !queue.insert(reader.next()) { droppedCount.pointee &+= 1 }
        }
    }

    @inline(__always) @_noLocks
    private mutating func renderBlock() {
        if request.flags & UInt32(CWireLayout_requestReset) != 0 { reset() }
        let generation = parameters.pointee.generation
        if generation != seenGeneration { takeWantedValues(of: generation) }
        // As nearly always: one stretch, of which the unit alone is heard. This is kept short: a processor that has just come from
        // another process has to learn each branch anew, and to fetch each line of the cache (Host/LIMITS.md).
        if queue.isEmpty, bypass.isAtRest, !wasBypassed, !isBypassed || kernelHasBypass, request.outputFrameCount > 0 {
            bypass.stayAtRest()
            renderKernel(start: 0)
        } else {
            renderPieces()
        }
    }

    /// Any other block: bypassed, faded, with events ahead, with a latency that the dry signal has to keep, or without frames.
    @inline(never) @_noLocks
    private mutating func renderPieces() {
        if !kernelHasBypass { bypass.set(isBypassed) }
        if bypass.isComplete {
            wasBypassed = true
            applyDueEvents(before: request.sampleTime &+ Int64(request.outputFrameCount))
            askForDelays()
        } else {
            // The kernel slept while it was bypassed; what it remembers is of another time.
            if wasBypassed, !isBeingRenewed { kernel.reset() }
            wasBypassed = false
            renderSegments()
        }
        bypass.process(input: inputs.blocks[0], output: outputs.blocks[0])
    }

    /// Renders from event to event, so that each takes effect at its own frame.
    @_noLocks
    private mutating func renderSegments() {
        let frameCount = Int(request.outputFrameCount)
        if request.inputFrameCount != request.outputFrameCount {
            // Input and output frames do not correspond: events take effect at the start of the block.
            applyDueEvents(before: request.sampleTime &+ Int64(max(1, frameCount)))
            return renderKernel(start: 0)
        }
        if frameCount == 0 { return askForDelays() }
        if queue.isEmpty { return renderKernel(start: 0) }
        var start = 0
        while start < frameCount {
            let now = request.sampleTime &+ Int64(start)
            applyDueEvents(before: now &+ 1)
            // Whatever is left in the queue lies after `now`; nonsense so far ahead that the difference wraps ends no segment.
            var end = frameCount
            if let next = queue.nextTime {
                let frame = Int(truncatingIfNeeded: next &- request.sampleTime)
                if frame > start, frame < frameCount { end = frame }
            }
            point(start: start, frameCount: end - start)
            renderKernel(start: start)
            start = end
        }
        // Whoever comes after the kernel is handed all of it.
        _ = pointAtWholeBlocks()
    }

    /// Has the kernel render what the buses point at, from frame `start` of the request on.
    @inline(__always) @_noLocks
    private mutating func renderKernel(start: Int) {
        describe(start)
        if isBeingRenewed, !takeNewKernel() { return silenceOutputs() }
        if kernelHasBypass { kernel.setBypassed(isBypassed) }
        let delays = kernel.render()
        isFresh = false
        if renewal != nil { dropInvalidAudio() }
        // One that has just been given away is not believed.
        if !isBeingRenewed { self.delays = delays }
    }

    /// What the kernel has been told since its last block may have changed them.
    @_noLocks
    private mutating func askForDelays() {
        if !isBeingRenewed { delays = kernel.delays() }
    }

    /// Tells the kernel of the block and the song as they are `start` frames into the request.
    @inline(__always) @_noLocks
    private func describe(_ start: Int) {
        block.pointee.sampleTime = request.sampleTime &+ Int64(start)
        block.pointee.isOffline = isOffline
        block.pointee.transport.isPlaying = request.transportFlags & UInt32(CWireLayout_transportPlaying) != 0
        block.pointee.transport.tempo = request.tempo
        block.pointee.transport.beatPosition = request.beatPosition
        block.pointee.transport.numerator = request.timeSignatureNumerator
        block.pointee.transport.denominator = request.timeSignatureDenominator
        if start > 0, block.pointee.transport.isPlaying {
            block.pointee.transport.beatPosition += Double(start) * request.tempo / 60 / region.header.sampleRate
        }
    }

    private var isOffline: Bool {
        @_noLocks get { request.flags & UInt32(CWireLayout_requestOffline) != 0 }
    }

    private var isBypassed: Bool {
        @_noLocks get { request.flags & UInt32(CWireLayout_requestBypass) != 0 }
    }

    /// Points all buses at a stretch of a request whose input and output frames correspond.
    @_noLocks
    private func point(start: Int, frameCount: Int) {
        for bus in 0..<inputs.busCount { inputs.point(bus, at: inputSlot(bus), start: start, frameCount: frameCount) }
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
    @inline(never) @_noLocks
    private mutating func takeWantedValues(of generation: UInt64) {
        seenGeneration = generation
        for index in 0..<parameters.pointee.count {
            guard let change = parameters.pointee.takeWanted(index), let accepted = parameters.pointee.accept(change) else {
                continue
            }
            if !isBeingRenewed { kernel.apply(accepted) }
        }
    }

    /// Forgets sound, not what the host has ordered: queued changes take effect all the same.
    @inline(never) @_noLocks
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
    @inline(never) @_noLocks
    private mutating func judge(isInvalid: Bool) -> Bool {
        if isInvalid { invalidStreak = min(invalidStreak &+ 1, Self.longestInvalidStreak) }
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

    /// Whether there is a kernel to render with by now. A new one is told all values first.
    @inline(never) @_noLocks
    private mutating func takeNewKernel() -> Bool {
        guard let made = renewal?.take(waits: isOffline) else { return false }
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
    @inline(never) @_noLocks
    private mutating func dropInvalidAudio() {
        var isInvalid = false
        for bus in 0..<outputs.busCount where !outputs.blocks[bus].isFinite { isInvalid = true }
        guard isInvalid else { return }
        invalidCount &+= 1
        silenceOutputs()
        if invalidStreak &+ 1 < Self.longestInvalidStreak { renew() }
    }
}
