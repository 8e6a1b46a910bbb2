// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one request: takes its events, splits the block where they lie, runs the kernel. Render thread.

import CWireLayout
import ControlMessages
import LinuxSystem
import Wire

/// All state of a unit's render thread, at one address for as long as resources are allocated.
///
/// The same core serves a unit in its own process and one inside the host, so that both sound alike.
struct RenderCore: ~Copyable {
    private let region: Region
    private let kernel: VouchedKernel
    private(set) var parameters: ParameterTable
    private let inputs: BusBlocks
    private let outputs: BusBlocks
    private var bypass: Bypass
    private var queue = EventQueue()
    private var reader: EventRingReader
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private var wasBypassed = false

    init(
        region: Region, kernel: KernelBox, parameters: consuming ParameterTable, inputs: consuming BusBlocks,
        outputs: consuming BusBlocks, bypass: consuming Bypass
    ) {
        self.region = region
        self.kernel = VouchedKernel(kernel)
        self.parameters = parameters
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
        writer.deallocate()
        droppedCount.deallocate()
    }

    /// `[control]` While nothing renders.
    var latencyFrameCount: Int { kernel.latencyFrameCount() }
    var tailFrameCount: Int { kernel.tailFrameCount() }

    /// `[render]` Renders the request with this number and publishes the reply. Rings nobody.
    @_noLocks
    mutating func render(_ sequence: UInt64) {
        let started = MonotonicClock.now()
        let mode = FloatingPointMode.disableDenormals()
        let request = region.request(sequence).pointee
        var reply = WireReply()
        reply.sequence = sequence
        reply.status = status(of: request, sequence)
        takeEvents(request.eventCount)
        if reply.status == UInt32(CWireLayout_replyOK) {
            renderBlock(request)
            reply.outputFrameCount = request.outputFrameCount
            reply.inputFrameCount = request.inputFrameCount
        }
        reply.latencyFrameCount = UInt32(clamping: kernel.latencyFrameCount())
        reply.tailFrameCount = UInt32(clamping: kernel.tailFrameCount())
        reply.droppedEventCount = droppedCount.pointee
        mode.restore()
        reply.renderNanoseconds = MonotonicClock.now() &- started
        region.reply(sequence).pointee = reply
        // Release: the reply and the audio are there for whoever sees this number.
        region.completedSequence.store(sequence)
    }
}

extension RenderCore {
    @_noLocks
    private func status(of request: WireRequest, _ sequence: UInt64) -> UInt32 {
        let maximum = region.header.maximumFrameCount
        guard request.outputFrameCount <= maximum, request.inputFrameCount <= maximum else {
            return UInt32(CWireLayout_replyTooManyFrames)
        }
        guard request.sequence == sequence, slotsExist(request) else { return UInt32(CWireLayout_replyMalformed) }
        return UInt32(CWireLayout_replyOK)
    }

    @_noLocks
    private func slotsExist(_ request: WireRequest) -> Bool {
        for bus in 0..<outputs.busCount where Int(request.outputSlot) >= outputs.slotCount(bus) { return false }
        for bus in 0..<inputs.busCount {
            if inputSlot(bus, of: request) >= inputs.slotCount(bus) { return false }
            if Int(request.inputFrameCount) > inputs.frameCapacity(bus) { return false }
        }
        return true
    }

    @_noLocks
    private func inputSlot(_ bus: Int, of request: WireRequest) -> Int {
        let slots = request.inputSlots
        switch bus {
        case 0: return Int(slots.0)
        case 1: return Int(slots.1)
        case 2: return Int(slots.2)
        case 3: return Int(slots.3)
        case 4: return Int(slots.4)
        case 5: return Int(slots.5)
        case 6: return Int(slots.6)
        default: return Int(slots.7)
        }
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
    private mutating func renderBlock(_ request: WireRequest) {
        if request.flags & UInt32(CWireLayout_requestReset) != 0 { reset() }
        takeWantedValues()
        bypass.set(request.flags & UInt32(CWireLayout_requestBypass) != 0)
        if bypass.isComplete {
            wasBypassed = true
            applyDueEvents(before: request.sampleTime &+ Int64(request.outputFrameCount))
            point(request, start: 0, frameCount: Int(request.outputFrameCount))
        } else {
            // The kernel slept while it was bypassed; what it remembers is of another time.
            if wasBypassed { kernel.reset() }
            wasBypassed = false
            renderSegments(request)
            point(request, start: 0, frameCount: Int(request.outputFrameCount))
        }
        bypass.process(input: inputs.blocks[0], output: outputs.blocks[0])
    }

    /// Renders from event to event, so that each takes effect at its own frame.
    @_noLocks
    private mutating func renderSegments(_ request: WireRequest) {
        let frameCount = Int(request.outputFrameCount)
        if request.inputFrameCount != request.outputFrameCount {
            // Input and output frames do not correspond: events take effect at the start of the block.
            applyDueEvents(before: request.sampleTime &+ Int64(max(1, frameCount)))
            return renderSegment(request, start: 0, frameCount: frameCount)
        }
        var start = 0
        while start < frameCount {
            let now = request.sampleTime &+ Int64(start)
            applyDueEvents(before: now &+ 1)
            // Whatever is left in the queue lies after `now`; nonsense far ahead does not end the segment.
            var end = frameCount
            if let next = queue.nextTime, next &- request.sampleTime < Int64(frameCount) {
                end = Int(truncatingIfNeeded: next &- request.sampleTime)
            }
            renderSegment(request, start: start, frameCount: end - start)
            start = end
        }
    }

    @_noLocks
    private mutating func renderSegment(_ request: WireRequest, start: Int, frameCount: Int) {
        point(request, start: start, frameCount: frameCount)
        let block = RenderBlock(
            inputBuses: UnsafePointer(inputs.blocks), outputBuses: UnsafePointer(outputs.blocks),
            emitter: EventEmitter(writer: writer, droppedCount: droppedCount, parameters: parameters.cells),
            inputBusCount: inputs.busCount,
            outputBusCount: outputs.busCount, sampleTime: request.sampleTime &+ Int64(start),
            transport: TransportState(request, start: start, sampleRate: region.header.sampleRate),
            isOffline: request.flags & UInt32(CWireLayout_requestOffline) != 0)
        kernel.render(block)
    }

    @_noLocks
    private func point(_ request: WireRequest, start: Int, frameCount: Int) {
        let stretches = request.inputFrameCount != request.outputFrameCount
        let inputCount = stretches ? Int(request.inputFrameCount) : frameCount
        for bus in 0..<inputs.busCount {
            inputs.point(bus, at: inputSlot(bus, of: request), start: start, frameCount: inputCount)
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
                if let accepted = parameters.accept(change) {
                    kernel.apply(accepted)
                } else {
                    droppedCount.pointee &+= 1
                }
            case .midi(let message): kernel.handle(message)
            case nil: droppedCount.pointee &+= 1
            }
        }
    }

    /// Takes over what the control thread restored.
    @_noLocks
    private mutating func takeWantedValues() {
        guard parameters.takeWantedGeneration() else { return }
        for index in 0..<parameters.count {
            if let change = parameters.takeWanted(index), let accepted = parameters.accept(change) {
                kernel.apply(accepted)
            }
        }
    }

    /// Forgets sound, not what the host has ordered: queued changes take effect all the same.
    @_noLocks
    mutating func reset() {
        kernel.reset()
        bypass.reset()
    }
}

extension TransportState {
    /// The song as it is `start` frames into a request.
    @_noLocks
    fileprivate init(_ request: WireRequest, start: Int, sampleRate: Double) {
        isPlaying = request.transportFlags & UInt32(CWireLayout_transportPlaying) != 0
        tempo = request.tempo
        beatPosition = request.beatPosition + (isPlaying ? Double(start) * tempo / 60 / sampleRate : 0)
        timeSignatureNumerator = Int(request.timeSignatureNumerator)
        timeSignatureDenominator = Int(request.timeSignatureDenominator)
    }
}
