// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one request: takes its events, splits the block at them, and runs the kernel. Render thread.

import CWireLayout
import ControlMessages
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// All state of a unit's render thread, at one address while resources are allocated.
///
/// The same core serves a unit in its own process and a unit in the host's, so that both sound the same.
struct RenderCore: ~Copyable {
    private let inPlace = InPlace()
    private let region: Region
    private var kernel: VouchedKernel
    /// The source of new kernels, for a bridged unit and for a kernel that is remade by a reset.
    private let renewal: RenewalPort?
    /// At an address of its own, since the control thread sets it to request a new kernel.
    let renewalWish: UnsafeMutablePointer<Atomic<Bool>>
    /// True if the renewal thread has the kernel, to replace it.
    private var isBeingRenewed = false
    /// True if the kernel has rendered nothing since it was made.
    private var isFresh = true
    private var invalidCount: UInt32 = 0
    /// The number of successive requests in which the plug-in's output held NaN or infinity.
    private var invalidStreak = 0
    /// After this many, no new kernel is requested until the output is finite again or the unit is reset.
    private static let longestInvalidStreak = 8
    /// The delays that the kernel returned after its last block.
    private var delays: KernelDelays
    /// True if the kernel bypasses itself; `bypass` then always plays the unit.
    private let kernelHasBypass: Bool
    /// At an address of its own, since the control thread requests values there.
    let parameters: UnsafeMutablePointer<ParameterTable>
    /// The last generation of requested values that the kernel has taken.
    private var seenGeneration: UInt64 = 0
    private let inputs: BusBlocks
    private let outputs: BusBlocks
    private let silence: SilentBuses
    /// At an address of its own, since the control thread adds wirings there.
    let wirings: UnsafeMutablePointer<Wirings>
    /// The number of the wiring in use.
    private var wiring: UInt32 = 0
    /// The wiring in use, unless it is that of the allocation, whose inputs are `inputs`.
    private var wired: Wirings.Place?
    /// The description of the block that the kernel renders.
    private let block: UnsafeMutablePointer<RenderBlock.Content>
    private var bypass: Bypass
    private var queue = EventQueue()
    private var reader: EventRingReader
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private let played: UnsafeMutablePointer<PlayedFigures>
    private var wasBypassed = false
    /// At an address of its own: a member would be copied by way of the stack.
    private let takenRequest: UnsafeMutablePointer<WireRequest>
    private var stopwatch = Stopwatch()
    /// The latest sound, for a view; nil for a unit without one.
    private let scopes: UnsafeMutablePointer<Scopes.Core>?

    init(
        region: Region, kernel: KernelBox, parameters: consuming ParameterTable, inputs: consuming BusBlocks,
        outputs: consuming BusBlocks, silence: consuming SilentBuses, bypass: consuming Bypass, renewal: RenewalPort?,
        scopes: UnsafeMutablePointer<Scopes.Core>?
    ) {
        self.scopes = scopes
        self.region = region
        kernelHasBypass = kernel.hasBypass
        self.renewal = renewal
        renewalWish = .allocate(capacity: 1)
        renewalWish.initialize(to: Atomic(false))
        self.parameters = .allocate(capacity: 1)
        self.parameters.initialize(to: parameters)
        self.inputs = inputs
        self.outputs = outputs
        self.silence = silence
        wirings = .allocate(capacity: 1)
        wirings.initialize(to: Wirings())
        self.bypass = bypass
        reader = region.hostToPluginReader()
        writer = .allocate(capacity: 1)
        writer.initialize(to: region.pluginToHostWriter())
        droppedCount = .allocate(capacity: 1)
        droppedCount.initialize(to: 0)
        played = .allocate(capacity: 1)
        played.initialize(to: PlayedFigures())
        takenRequest = .allocate(capacity: 1)
        takenRequest.initialize(to: WireRequest())
        block = .allocate(capacity: 1)
        block.initialize(
            to: RenderBlock.Content(
                inputBuses: UnsafePointer(self.inputs.blocks), outputBuses: UnsafePointer(self.outputs.blocks),
                inputBusCount: self.inputs.busCount, outputBusCount: self.outputs.busCount,
                emitter: EventEmitter(
                    writer: writer, droppedCount: droppedCount, played: played, parameters: self.parameters.pointee.cells)))
        let vouched = VouchedKernel(kernel, block: RenderBlock(block))
        // Asked through `vouched` to prepare that call. Unoptimised code looks types up under a lock on its first pass, and
        // must not do that while it renders.
        delays = vouched.delays()
        self.kernel = vouched
    }

    deinit {
        renewalWish.deallocate()
        parameters.deinitialize(count: 1)
        parameters.deallocate()
        wirings.deinitialize(count: 1)
        wirings.deallocate()
        writer.deallocate()
        droppedCount.deallocate()
        played.deallocate()
        block.deallocate()
        takenRequest.deallocate()
    }

    /// `[render]` The request that is being rendered, or was rendered last: a copy, which the host cannot change.
    var request: WireRequest {
        @inline(__always) @_noLocks get { takenRequest.pointee }
    }

    /// `[control]` The blocks of the input buses, while nothing renders.
    var inputBlocks: UnsafeMutablePointer<AudioBlock> { inputs.blocks }
    /// `[control]` The latency in frames, while nothing renders.
    var latencyFrameCount: Int { delays.latency }
    /// `[control]` The tail in frames, while nothing renders.
    var tailFrameCount: Int { delays.tail }

    /// `[render]` Renders the request with this number and publishes the reply, without ringing a doorbell.
    @_noLocks
    mutating func render(_ sequence: UInt64) {
        _ = take(sequence)
        renderTaken(sequence)
    }

    /// `[render]` Copies the request with this number, and takes up the wiring that it names; true if that is another one.
    @inline(__always) @_noLocks
    mutating func take(_ sequence: UInt64) -> Bool {
        stopwatch.start()
        takenRequest.pointee = region.request(sequence).pointee
        return request.wiring != wiring && takeUpWiring()
    }

    /// `[render]` Renders the request that has been taken, and publishes the reply.
    @_noLocks
    mutating func renderTaken(_ sequence: UInt64) {
        let mode = FloatingPointMode.disableDenormals()
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
        }
        if reply.status == UInt32(CWireLayout_replyOK) {
            if let scopes {
                scopes.pointee.record(
                    inputs.busCount > 0 ? inputs.blocks : nil, outputs.busCount > 0 ? outputs.blocks : nil)
            }
            reply.outputFrameCount = request.outputFrameCount
            reply.inputFrameCount = request.inputFrameCount
        }
        bypass.follow(latencyFrameCount: delays.latency)
        reply.latencyFrameCount = UInt32(clamping: delays.latency)
        reply.tailFrameCount = UInt32(clamping: delays.tail)
        reply.droppedEventCount = droppedCount.pointee
        reply.invalidStretchCount = invalidCount
        reply.unplayedNoteCount = played.pointee.unplayedNoteCount
        reply.substitutedProgramCount = played.pointee.substitutedProgramCount
        mode.restore()
        reply.renderNanoseconds = stopwatch.stop()
        region.reply(sequence).pointee = reply
        // Release: a thread that sees this number also sees the reply and the audio.
        region.completedSequence.store(sequence)
    }
}

extension RenderCore {
    /// Points all buses at the request's audio; returns the status for the reply, which says whether that worked.
    @inline(__always) @_noLocks
    private func pointAtAudio(of sequence: UInt64) -> Int {
        let maximum = region.header.maximumFrameCount
        guard request.outputFrameCount <= maximum, request.inputFrameCount <= maximum else {
            return CWireLayout_replyTooManyFrames
        }
        // A missing wiring has not been taken up.
        guard request.sequence == sequence, request.wiring == wiring, pointAtWholeBlocks() else {
            return CWireLayout_replyMalformed
        }
        return CWireLayout_replyOK
    }

    /// Takes up the wiring that the request names; false if there is none of that number.
    @inline(never) @_noLocks
    private mutating func takeUpWiring() -> Bool {
        let number = request.wiring
        guard let place = wirings.pointee.takeUp(number) else { return false }
        wiring = number
        wired = number == 0 ? nil : place
        return true
    }

    /// Points all buses at whole blocks; false if a bus has no such block.
    @inline(__always) @_noLocks
    private func pointAtWholeBlocks() -> Bool {
        for bus in 0..<outputs.busCount {
            let (slot, frameCount) = (Int(request.outputSlot), Int(request.outputFrameCount))
            if !outputs.point(bus, at: slot, frameCount: frameCount) { return false }
        }
        for bus in 0..<inputs.busCount {
            let (slot, frameCount) = (inputSlot(bus), Int(request.inputFrameCount))
            // The memory of the allocation lacks the slots of other wirings.
            if inputs.point(bus, at: slot, frameCount: frameCount) { continue }
            if !pointElsewhere(bus, at: slot, frameCount: frameCount) { return false }
        }
        return true
    }

    /// Points an input bus at a block of the wiring in use, or at silence; false if the slot names neither.
    @inline(never) @_noLocks
    private func pointElsewhere(_ bus: Int, at slot: Int, frameCount: Int) -> Bool {
        if slot == CWireLayout_inputSlotSilent { return silence.buses.point(bus, at: 0, frameCount: frameCount) }
        guard slot >= CWireLayout_inputSlotWired, let wired else { return false }
        return wired.pointee.inputs.point(bus, at: slot &- CWireLayout_inputSlotWired, frameCount: frameCount)
    }

    @inline(__always) @_noLocks
    private func inputSlot(_ bus: Int) -> Int {
        // Eight bytes; the lowest is that of the first bus.
        let slots = UInt64(littleEndian: unsafeBitCast(request.inputSlots, to: UInt64.self))
        return Int(truncatingIfNeeded: slots &>> UInt64(truncatingIfNeeded: 8 &* bus) & 0xFF)
    }

    /// Moves the request's events from the ring into the queue.
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
        // Acquire: the text that the new kernel is wanted for has been taken.
        if renewal != nil, renewalWish.pointee.load(ordering: .acquiring) { takeRenewalWish() }
        // Offline rendering waits for the kernel before the block's first events. They would be lost without one.
        if isBeingRenewed, isOffline { _ = takeNewKernel() }
        let generation = parameters.pointee.generation
        if generation != seenGeneration { takeWantedValues(of: generation) }
        // The usual case is kept short: one stretch, and only the unit is heard. A processor that has just switched from
        // another process must learn each branch again and fetch each cache line (Host/LIMITS.md).
        if queue.isEmpty, bypass.isAtRest, !wasBypassed, !isBypassed || kernelHasBypass, request.outputFrameCount > 0 {
            bypass.stayAtRest()
            renderKernel(start: 0)
        } else {
            renderPieces()
        }
    }

    /// Renders any other block: bypassed, faded, with events, with a latency that the dry signal must match, or without
    /// frames.
    @inline(never) @_noLocks
    private mutating func renderPieces() {
        let wasUnheard = bypass.isComplete
        if !kernelHasBypass { bypass.set(isBypassed) }
        if bypass.isComplete {
            wasBypassed = true
            applyDueEvents(before: request.sampleTime &+ Int64(request.outputFrameCount))
            askForDelays()
        } else {
            // The kernel did not render while it was bypassed, so its memory is out of date. If no whole block has passed since
            // the fade, it did render, but forgets that: the sound must not depend on the length of blocks.
            if wasBypassed || wasUnheard, !isBeingRenewed {
                kernel.reset()
                releaseKeys()
            }
            wasBypassed = false
            renderSegments()
        }
        bypass.process(
            input: inputs.blocks[0], outputs: outputs.blocks, busCount: outputs.busCount,
            frameCount: Int(request.outputFrameCount))
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
            // The rest of the queue lies after `now`. A time so far ahead that the difference wraps ends no segment.
            var end = frameCount
            if let next = queue.nextTime {
                let frame = Int(truncatingIfNeeded: next &- request.sampleTime)
                if frame > start, frame < frameCount { end = frame }
            }
            point(start: start, frameCount: end - start)
            renderKernel(start: start)
            start = end
        }
        // The steps after the kernel get the whole blocks.
        _ = pointAtWholeBlocks()
    }

    /// Renders the stretch at which the buses point; it begins at frame `start` of the request.
    @inline(__always) @_noLocks
    private mutating func renderKernel(start: Int) {
        describe(start)
        if isBeingRenewed, !takeNewKernel() { return silenceOutputs() }
        if kernelHasBypass { kernel.setBypassed(isBypassed) }
        let delays = kernel.render()
        isFresh = false
        if renewal != nil { dropInvalidAudio() }
        // The delays of a kernel that has just been given up are not used.
        if !isBeingRenewed { self.delays = delays }
    }

    /// Reads the delays without a block: changes since the last block may have altered them.
    @_noLocks
    private mutating func askForDelays() {
        if !isBeingRenewed { delays = kernel.delays() }
    }

    /// Describes the block and the song, `start` frames into the request.
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
        for bus in 0..<inputs.busCount {
            let slot = inputSlot(bus)
            if slot < CWireLayout_inputSlotWired {
                inputs.point(bus, at: slot, start: start, frameCount: frameCount)
            } else if slot == CWireLayout_inputSlotSilent {
                silence.buses.point(bus, at: 0, start: start, frameCount: frameCount)
            } else if let wired {
                wired.pointee.inputs.point(
                    bus, at: slot &- CWireLayout_inputSlotWired, start: start, frameCount: frameCount)
            }
        }
        for bus in 0..<outputs.busCount {
            outputs.point(bus, at: Int(request.outputSlot), start: start, frameCount: frameCount)
        }
    }

    @_noLocks
    private mutating func applyDueEvents(before time: Int64) {
        var opening = Opening(isOpen: isFresh && renewal == nil)
        while let next = queue.nextTime, next < time {
            let event = RenderEvent(queue.removeFirst())
            if opening.ends(with: event) { kernel.reset() }
            switch event {
            case .parameter(let change):
                if let accepted = parameters.pointee.accept(change) {
                    if !isBeingRenewed { kernel.apply(accepted) }
                } else {
                    droppedCount.pointee &+= 1
                }
            case .midi(let message):
                // A classic plug-in trusts its input, and may use it as an index into memory.
                if renewal == nil || message.isWhole || message.isSystemExclusivePiece {
                    if let scopes { scopes.pointee.note(message) }
                    if !isBeingRenewed { kernel.handle(message) }
                } else {
                    droppedCount.pointee &+= 1
                }
            case nil: droppedCount.pointee &+= 1
            }
        }
        if opening.ends(with: nil) { kernel.reset() }
        if opening.isOver { isFresh = false }
    }

    /// The changes before the first block: a kernel has nothing to smooth there, and has the values at its first frame.
    ///
    /// A reset makes the kernel jump to them. A bridge jumps by itself. A ramp or a MIDI message ends the opening, since a
    /// reset would undo it.
    private struct Opening {
        /// True if only changes without a ramp have come.
        var isOpen: Bool
        /// True if the kernel has been given a value since its last reset.
        private var hasChange = false
        /// True if a ramp or a message has ended the opening.
        private(set) var isOver = false

        @_noLocks
        init(isOpen: Bool) { self.isOpen = isOpen }

        /// True if the kernel must jump before it is given `event`; nil stands for the end of the events that are due.
        @_noLocks
        mutating func ends(with event: RenderEvent?) -> Bool {
            guard isOpen else { return false }
            if case .parameter(let change) = event, change.rampFrameCount == 0 {
                hasChange = true
                return false
            }
            isOpen = false
            if case .some = event { isOver = true }
            return hasChange
        }
    }

    /// Takes the values that the control thread has requested.
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

    /// Forgets sound, but not the queued changes, which still take effect.
    @inline(never) @_noLocks
    mutating func reset() {
        bypass.reset()
        invalidStreak = 0
        if renewal == nil || (isFresh && !isBeingRenewed) { kernel.reset() } else { renew() }
        releaseKeys()
    }

    /// Clears the view's keyboard: a kernel that is reset, or new, sounds no note.
    @_noLocks
    private func releaseKeys() {
        if let scopes { scopes.pointee.release() }
    }
}

// MARK: - New kernels

extension RenderCore {
    /// True if the request counts as rendered; silence counts while a new kernel is being made.
    ///
    /// It does not count if no new kernel can be made, or if the output stays NaN or infinite after several new kernels.
    @inline(never) @_noLocks
    private mutating func judge(isInvalid: Bool) -> Bool {
        if isInvalid { invalidStreak = min(invalidStreak &+ 1, Self.longestInvalidStreak) }
        if isBeingRenewed, let renewal, renewal.hasFailed { return false }
        return !isInvalid || invalidStreak < Self.longestInvalidStreak
    }

    /// Requests the new kernel that the control thread wants, even while another is being made: that one may lack the text.
    @inline(never) @_noLocks
    private mutating func takeRenewalWish() {
        guard !isBeingRenewed else { return }
        renewalWish.pointee.store(false, ordering: .relaxed)
        renew()
    }

    /// Requests a new kernel.
    ///
    /// Silence is rendered until it arrives.
    @_noLocks
    private mutating func renew() {
        guard let renewal, !isBeingRenewed || renewal.hasFailed else { return }
        isBeingRenewed = true
        renewal.want(replacing: kernel.release())
    }

    /// True if the kernel can render now; a new kernel gets all values first.
    @inline(never) @_noLocks
    private mutating func takeNewKernel() -> Bool {
        guard let made = renewal?.take(waits: isOffline) else { return false }
        kernel.adopt(made)
        releaseKeys()
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

    /// Silences output that holds NaN or infinity, and requests a new kernel if it is the first one.
    ///
    /// A classic plug-in that has produced NaN hardly ever recovers by itself. A further output may be a control that nothing
    /// reads, and that has no value at times. Such an output alone is silenced.
    @inline(never) @_noLocks
    private mutating func dropInvalidAudio() {
        guard outputs.busCount > 0 else { return }
        for bus in 1..<outputs.busCount where !outputs.blocks[bus].isFinite { outputs.blocks[bus].silence() }
        guard !outputs.blocks[0].isFinite else { return }
        invalidCount &+= 1
        silenceOutputs()
        if invalidStreak &+ 1 < Self.longestInvalidStreak { renew() }
    }
}
