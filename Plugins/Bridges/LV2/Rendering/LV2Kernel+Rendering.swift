// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders with the instances of an LV2 plug-in, piece by piece. Render thread.

import BridgeSupport
import CLV2Shims
import PluginSDK

extension LV2Kernel {
    @_noLocks
    mutating func apply(_ change: ParameterChange) {
        if !controls.apply(change) { _ = messages.apply(change, atFrame: position) }
    }

    var hasBypass: Bool {
        @_noLocks get { controls.hasBypass }
    }

    @_noLocks
    mutating func setBypassed(_ isBypassed: Bool) { controls.setBypassed(isBypassed) }

    @_noLocks
    mutating func handle(_ message: MIDIMessage) { messages.take(message, atFrame: position) }

    @_noLocks
    mutating func render(_ block: RenderBlock) {
        let input = block.inputBusCount > 0 && hasMainInput ? block.input : noInput(block)
        guard gate.enter() else { return pass(block, input) }
        guard !mustReactivate || reactivate(waits: block.isOffline, frameCount: block.frameCount) else {
            gate.leave()
            return pass(block, input)
        }
        freeWheeling.pointee = block.isOffline ? 1 : 0
        messages.sendWaiting(atFrame: position)
        var start = 0
        while start < block.frameCount { start &+= renderPiece(block, input, start) }
        meters.emit(to: block)
        gate.leave()
    }

    /// Renders as many frames from `start` on as fit into one piece, and returns their number.
    @_noLocks
    private mutating func renderPiece(_ block: RenderBlock, _ input: AudioBlock, _ start: Int) -> Int {
        let isFixed = fixedFrameCount > 0
        let rest = block.frameCount &- start
        let frameCount = isFixed ? min(rest, fixedFrameCount &- position) : controls.runLength(atMost: rest)
        if let change = song.change(block, start: start, frameCount: frameCount) { messages.send(change, atFrame: position) }
        audio.feed(block, input, start: start, position: position, frameCount: frameCount)
        guard isFixed else {
            run(block, frameCount: frameCount, start: start)
            audio.collect(block, input, start: start, position: 0, frameCount: frameCount)
            return frameCount
        }
        // The output is the result of the block before.
        audio.collect(block, input, start: start, position: position, frameCount: frameCount)
        position &+= frameCount
        if position == fixedFrameCount {
            position = 0
            run(block, frameCount: fixedFrameCount, start: start &+ frameCount)
        }
        return frameCount
    }

    /// Runs every instance.
    ///
    /// Their messages go to the host, from frame `start` on.
    @_noLocks
    private mutating func run(_ block: RenderBlock, frameCount: Int, start: Int) {
        isFresh = false
        runInstances(frameCount, waits: block.isOffline)
        controls.advance(frameCount, block)
        messages.finishRun(block, start: start, frameCount: frameCount)
    }

    @_noLocks
    func runInstances(_ frameCount: Int, waits: Bool) {
        for index in 0..<instanceCount {
            let instance = instances[index]
            CLV2Shims_run(instance.descriptor, instance.handle, UInt32(frameCount))
            if let worker = instance.worker { CLV2Shims_deliver(worker, waits) }
        }
    }

    private var hasMainInput: Bool {
        @_noLocks get { audio.map.inputPortCount > 0 || audio.map.outputPortCount == 0 }
    }

    @_noLocks
    private func noInput(_ block: RenderBlock) -> AudioBlock {
        AudioBlock(channels: block.output.channels, channelCount: 0, frameCount: block.frameCount)
    }

    /// Passes the input through while the control thread uses the instances.
    @_noLocks
    private func pass(_ block: RenderBlock, _ input: AudioBlock) {
        for bus in 0..<block.outputBusCount { block.output(bus).silence() }
        block.output.copy(from: input)
    }

    @_noLocks
    mutating func reset() {
        controls.jump()
        song.forget()
        // Messages that came during a pause are out of date. Properties and texts are sent before the next run.
        messages.takeBack()
        audio.clear()
        position = 0
        // Fresh instances have nothing to forget, and some fail when they are activated twice.
        if !isFresh { mustReactivate = true }
        guard gate.enter() else { return }
        // A run without frames updates outputs such as the latency, but in some plug-ins only blocks with frames do. No message
        // may be queued for it: many plug-ins read none in such a run, and unread messages are lost.
        if !mustReactivate || reactivate(waits: false), hasLatency, !hasRehearsed {
            runInstances(0, waits: false)
            messages.dropRun()
        }
        gate.leave()
    }

    /// Activates the instances again, so that they forget all sound.
    ///
    /// Returns false while a state is saved, a worker works, or the plug-in draws; none of these may run beside it. With
    /// `waits` it waits for the workers and the picture. Otherwise `frameCount` frames pass without the plug-in. A picture that
    /// did not end in time is not waited for again.
    @_noLocks
    mutating func reactivate(waits: Bool, frameCount: Int = 0) -> Bool {
        guard resetGate.enter() else { return false }
        var isIdle = true
        for index in 0..<instanceCount {
            if let worker = instances[index].worker, !CLV2Shims_isIdle(worker, waits) { isIdle = false }
        }
        isIdle = isIdle && reactivateUndrawn(waits: waits, frameCount)
        resetGate.leave()
        return isIdle
    }

    @_noLocks
    private mutating func reactivateUndrawn(waits: Bool, _ frameCount: Int) -> Bool {
        let drawing = displayGate.enter(waits: waits)
        if let drawing {
            // Frames that waited for another picture do not count.
            if drawing.number != awaitedDrawing { (awaitedDrawing, displayWaitFrameCount) = (drawing.number, 0) }
            guard waits || displayGate.isStuck(drawing) || displayWaitFrameCount >= longestDisplayWaitFrameCount else {
                displayWaitFrameCount &+= frameCount
                return false
            }
            displayGate.giveUp(drawing)
        }
        for index in 0..<instanceCount { CLV2Shims_reactivate(instances[index].descriptor, instances[index].handle) }
        if drawing == nil { displayGate.leave() }
        (isFresh, mustReactivate, displayWaitFrameCount) = (true, false, 0)
        // No note survives this.
        messages.hasLostMIDI = false
        return true
    }

    var latencyFrameCount: Int {
        @_noLocks get {
            // If the input passes by there is no latency; only MIDI is late.
            audio.map.outputPortCount > 0 ? Latency.frameCount(reported: latency.pointee, added: fixedFrameCount) : 0
        }
    }

    /// The longest possible tail, because a plug-in cannot report its tail.
    var tailFrameCount: Int { @_noLocks get { Int.max } }
}
