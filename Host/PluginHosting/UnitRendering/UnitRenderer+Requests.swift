// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Requests to a unit: published, granted, answered, completed. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

extension UnitRenderer {
    /// True if this unit's block must pass through the host before the next unit reads it.
    var endsRun: Bool {
        @_noLocks get { inProcess != nil || crossfade.isActive }
    }

    /// Writes the next request into its slot and publishes it; the unit does not run until it is granted.
    ///
    /// A run that broke off before the unit's turn may have published a request without granting it. That request is amended: a
    /// second one would make the unit render the block twice.
    @_noLocks
    mutating func publish(
        _ cycle: RenderCycle, inputSlot: Int, sideSlot: Int, successorRing: UInt32?, spinNanoseconds: UInt32 = 0
    ) {
        if isPending { return amend(inputSlot: inputSlot, successorRing: successorRing) }
        isPending = true
        sequence &+= 1
        let eventCount = events.write(cycle)
        var request = WireRequest(
            cycle, sequence: sequence, eventCount: eventCount, outputSlot: slot, inputSlot: inputSlot)
        request.setSideSlots(UInt8(sideSlot))
        if let inputFrameCount { request.inputFrameCount = UInt32(inputFrameCount) }
        request.spinNanoseconds = spinNanoseconds
        let isBypassed = sharedState.pointee.isBypassed.load(ordering: .relaxed)
        if isBypassed { request.flags |= UInt32(CWireLayout_requestBypass) }
        events.note(isBypassed: isBypassed)
        if events.takeReset() { request.flags |= UInt32(CWireLayout_requestReset) }
        if let successorRing {
            request.flags |= UInt32(CWireLayout_requestRingSuccessor)
            request.successorRing = successorRing
        }
        nameWiring(in: &request)
        region.request(sequence).pointee = request
        // Release: a unit that sees this number sees request and events.
        region.publishedSequence.store(sequence)
    }

    /// Makes the processor fetch the memory for the writes of `publish`.
    @_noLocks
    func fetchForWriting() {
        CacheLine.fetchForWriting(region.request(nextSequence), byteCount: MemoryLayout<WireRequest>.size)
        CacheLine.fetchForWriting(region.publishedSequence.address, byteCount: CacheLine.byteCount)
    }

    /// The number of a request that is published now.
    var nextSequence: UInt64 {
        @_noLocks get { isPending ? sequence : sequence &+ 1 }
    }

    @_noLocks
    private func amend(inputSlot: Int, successorRing: UInt32?) {
        redirectInput(to: inputSlot)
        redirectRing()
        guard let successorRing else { return }
        let request = region.request(sequence)
        request.pointee.flags |= UInt32(CWireLayout_requestRingSuccessor)
        request.pointee.successorRing = successorRing
    }

    /// Makes the unit ring the host after it has answered a request that has not been granted yet.
    @_noLocks
    func redirectRing() { region.request(sequence).pointee.flags &= ~UInt32(CWireLayout_requestRingSuccessor) }

    /// Names another input block for a request that has not been granted yet.
    @_noLocks
    func redirectInput(to inputSlot: Int) { region.request(sequence).pointee.inputSlots.0 = UInt8(inputSlot) }

    /// Lets the unit run its newest request.
    ///
    /// A unit that claims to be awake but sleeps is to blame for being late.
    @_noLocks
    func grant() {
        doorbell.storeInOrder(UInt32(truncatingIfNeeded: sequence))
        if !region.pluginSpins.isRaised { Futex.wake(doorbell.address) }
    }

    /// True if the host or a predecessor has granted the newest request.
    var isGranted: Bool {
        @_noLocks get { doorbell.load() == UInt32(truncatingIfNeeded: sequence) }
    }

    /// True if the unit's mark shows that it has begun to render the newest request.
    var saysItHasBegun: Bool {
        @_noLocks get { region.startedSequence.load() == sequence }
    }

    /// True if the unit may have begun with the newest request.
    ///
    /// Its predecessor may have rung it and taken the ring back since. The unit's own mark shows that, and a false mark gains it
    /// nothing.
    var mayHaveBegun: Bool {
        @_noLocks get { isGranted || saysItHasBegun || isComplete }
    }

    /// Renders the newest request on this thread, in the host's own process.
    @_noLocks
    func renderInProcess() {
        guard let inProcess else { return }
        CPluginInterface_render(inProcess.table, inProcess.unit, sequence)
    }

    /// Takes the reply; false if the block cannot be used.
    @_noLocks
    mutating func takeReply(frameCount: Int, cycleIndex: UInt64) -> Bool {
        isPending = false
        answered = sequence
        changeOver()
        answersSinceSilence &+= 1
        let reply = region.reply(sequence).pointee
        sharedState.pointee.outstandingSince.store(0, ordering: .relaxed)
        events.forward(cycleIndex)
        sharedState.pointee.renderNanoseconds.store(reply.renderNanoseconds, ordering: .relaxed)
        // One thread raises it, and another one takes it: a value lost in a race shows a moment later, or with the next long
        // block.
        if reply.renderNanoseconds > sharedState.pointee.longestRenderNanoseconds.load(ordering: .relaxed) {
            sharedState.pointee.longestRenderNanoseconds.store(reply.renderNanoseconds, ordering: .relaxed)
        }
        sharedState.pointee.invalidStretchCount.store(reply.invalidStretchCount, ordering: .relaxed)
        sharedState.pointee.unplayedNoteCount.store(reply.unplayedNoteCount, ordering: .relaxed)
        sharedState.pointee.substitutedProgramCount.store(reply.substitutedProgramCount, ordering: .relaxed)
        sharedState.pointee.droppedEventCount.store(reply.droppedEventCount, ordering: .relaxed)
        if reply.sequence == sequence, reply.latencyFrameCount <= Self.longestLatency {
            sharedState.pointee.latencyFrameCount.store(Int(reply.latencyFrameCount), ordering: .relaxed)
            dry.follow(latencyFrameCount: Int(reply.latencyFrameCount))
            returnWait.limit(to: Int(reply.latencyFrameCount))
        }
        guard reply.sequence == sequence, reply.status == UInt32(CWireLayout_replyOK),
            Int(reply.outputFrameCount) == frameCount
        else {
            let isUnable = reply.sequence == sequence && reply.status == UInt32(CWireLayout_replyUnable)
            // Once, until it renders again: a notice for each block would crowd out all others.
            if !isUnable { tellOnce(.invalidReply, cycleIndex) } else if !isReturning { events.notify(.unable, cycleIndex) }
            isReturning = true
            return false
        }
        sharedState.pointee.renderedFrameCount.wrappingAdd(UInt64(frameCount), ordering: .relaxed)
        return true
    }

    /// The same limit as `WireLimits.latencyFrameCount`.
    private static var longestLatency: UInt32 { @_noLocks get { 1 << 20 } }

    /// Notes that the unit answered without ringing, which the host found out only at the deadline.
    ///
    /// The notice is sent again only after a second without such a silence. A silence goes on until the unit has rung for two
    /// blocks running. Another thread can delay a ring now and then, but not all the time.
    @_noLocks
    mutating func noteSilence(_ cycleIndex: UInt64) {
        let now = MonotonicClock.now()
        let isNewSilence = now > sharedState.pointee.silentUntil.load(ordering: .relaxed) &+ Self.silenceForgottenNanoseconds
        // The count includes this block.
        if isNewSilence || answersSinceSilence > 2 { sharedState.pointee.silentSince.store(now, ordering: .relaxed) }
        if isNewSilence { events.notify(.rangNobody, cycleIndex) }
        answersSinceSilence = 0
        // Release: a thread that sees this time sees the beginning too.
        sharedState.pointee.silentUntil.store(now, ordering: .releasing)
    }

    private static var silenceForgottenNanoseconds: UInt64 { @_noLocks get { 1_000_000_000 } }

    /// Completes the unit's block: unchanged, faded, or replaced by the fallback.
    ///
    /// `wasInputValid` is true if the unit read valid audio; a unit that only passes invalid input on is not to blame. Returns
    /// true if the next unit has read, or will read, valid audio.
    @_noLocks
    mutating func finish(input: AudioBlock, wasInputValid: Bool, _ outcome: Outcome, cycleIndex: UInt64) -> Bool {
        let block = outputBlock(frameCount: input.frameCount)
        let dry = spread(dry.process(input))
        var isValid = false
        if case .rendered = outcome { isValid = isFit(block, input, wasInputValid, cycleIndex) }
        if isValid { noteEffect(mainPart(of: block), dry) }
        let isHeard = isValid && !inputFade.isInBlock && returnWait.frameCount == 0
        if isHeard {
            crossfade.unitRendered(block, dry: dry)
            if isReturning { events.notify(.recovered, cycleIndex) }
            isReturning = false
        } else {
            crossfade.unitMissing(block, dry: dry, standIn: currentStandIn)
            sharedState.pointee.replacedBlockCount.wrappingAdd(1, ordering: .relaxed)
            events.noteReplacement(input.frameCount)
        }
        if isValid { returnWait.count(input.frameCount, isHeard: isHeard) }
        if case .missing = outcome { return true }
        return isValid
    }

    /// True if a block that the unit rendered may be heard; if not, the unit is reset.
    @_noLocks
    private mutating func isFit(
        _ block: AudioBlock, _ input: AudioBlock, _ wasInputValid: Bool, _ cycleIndex: UInt64
    ) -> Bool {
        let main = mainPart(of: block)
        let verdict = audioGuard.check(main)
        // A further output may be an unused control without a value at times: then only that output is silent.
        if block.channelCount > main.channelCount { silenceUnfitChannels(of: block, from: main.channelCount) }
        // A unit that has read invalid audio may keep it and put it out later.
        guard wasInputValid, case .valid = verdict else {
            events.demandReset()
            isReturning = true
            returnWait.end()
            // The predecessor may have overwritten the host's samples.
            if wasInputValid, case .valid = audioGuard.check(input) { blame(verdict, cycleIndex) }
            return false
        }
        sharedState.pointee.invalidSince.store(0, ordering: .relaxed)
        return true
    }

    /// Notes the first audible output, and the first one that differs from the input; after that it no longer compares.
    @_noLocks
    private func noteEffect(_ block: AudioBlock, _ dry: AudioBlock) {
        if !sharedState.pointee.hasSounded.load(ordering: .relaxed), block.isAudible {
            sharedState.pointee.hasSounded.store(true, ordering: .relaxed)
        }
        if !sharedState.pointee.hasChangedSound.load(ordering: .relaxed), !block.isIdentical(to: dry) {
            sharedState.pointee.hasChangedSound.store(true, ordering: .relaxed)
        }
    }

    @_noLocks
    private func silenceUnfitChannels(of block: AudioBlock, from first: Int) {
        for channel in first..<block.channelCount {
            let one = AudioBlock(channels: block.channels + channel, channelCount: 1, frameCount: block.frameCount)
            if case .valid = audioGuard.check(one) { continue }
            one.silence()
        }
    }

    @_noLocks
    private mutating func blame(_ verdict: AudioGuard.Verdict, _ cycleIndex: UInt64) {
        sharedState.pointee.invalidBlockCount.wrappingAdd(1, ordering: .relaxed)
        switch verdict {
        case .notANumber: tellOnce(.notANumber, cycleIndex)
        case .infinite: tellOnce(.infinite, cycleIndex)
        case .tooLoud: tellOnce(.tooLoud, cycleIndex)
        case .valid: break
        }
    }

    /// Sends a notice that the unit's output cannot be used; once, until it is usable again.
    @_noLocks
    private mutating func tellOnce(_ notice: UnitNotice, _ cycleIndex: UInt64) {
        guard sharedState.pointee.invalidSince.load(ordering: .relaxed) == 0 else { return }
        sharedState.pointee.invalidSince.store(MonotonicClock.now(), ordering: .relaxed)
        events.notify(notice, cycleIndex)
    }
}

extension WireRequest {
    /// Sets one block for all input buses from the second one on.
    @_noLocks
    fileprivate mutating func setSideSlots(_ slot: UInt8) {
        let first = inputSlots.0
        inputSlots = (first, slot, slot, slot, slot, slot, slot, slot)
    }

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
