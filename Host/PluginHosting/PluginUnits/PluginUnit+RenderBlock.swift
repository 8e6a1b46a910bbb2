// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders blocks of a program's own through a unit. Render thread.

import Realtime
import Rendering

extension PluginUnit {
    /// Renders blocks of one unit.
    ///
    /// Fetch it once, on a control thread, and call it from the render thread.
    ///
    /// It consists of two pointers, which every thread may copy. It does not keep the unit alive: the unit must outlive the last
    /// call.
    public struct RenderBlock: @unchecked Sendable {
        // SAFETY: the gate consists of atomics, and lets one thread at a time use the core.
        let gate: UnsafePointer<RenderGate>
        let core: UnsafePointer<UnsafeMutablePointer<PluginUnitCore>?>

        /// `[render]` Renders `output.frameCount` frames of `input` into `output`.
        ///
        /// The blocks may be the same memory. Missing input channels and frames are silent; so are output channels that the unit
        /// does not have. Further inputs are silent, and further outputs are dropped. Out of process the call returns within the
        /// block's length, even if the plug-in hangs; offline it waits for the plug-in.
        ///
        /// `sampleTime` counts frames since rendering began; without it the block follows the block before.
        @_noLocks @discardableResult
        public func callAsFunction(
            _ input: AudioBlock, into output: AudioBlock, at sampleTime: Int64? = nil, transport: Transport = Transport()
        ) -> RenderStatus {
            if let failure = begin(output.frameCount) { return refuse(output, failure) }
            guard let core = core.pointee else { return refuse(output, end(.noResources)) }
            core.pointee.read(input, on: 0, frameCount: output.frameCount)
            return render(core, output, at: sampleTime, transport)
        }

        /// `[render]` Renders `output.frameCount` frames, whose input `pull` writes into a block.
        ///
        /// The block has the unit's channels and holds silence. `pull` is called once, before the unit renders, on this thread.
        /// In a `@_noLocks` caller the compiler checks the closure like the caller itself; let it call a `@_noLocks` function.
        /// All else is as with an input block.
        @_noLocks @discardableResult
        public func callAsFunction(
            into output: AudioBlock, at sampleTime: Int64? = nil, transport: Transport = Transport(),
            pulling pull: (AudioBlock) -> Void
        ) -> RenderStatus {
            if let failure = begin(output.frameCount) { return refuse(output, failure) }
            guard let core = core.pointee else { return refuse(output, end(.noResources)) }
            let input = core.pointee.inputBlock(frameCount: output.frameCount)
            pull(input)
            core.pointee.read(input, on: 0, frameCount: output.frameCount)
            return render(core, output, at: sampleTime, transport)
        }

        /// `[render]` Renders `frameCount` frames of all buses, with events at frames of the block.
        ///
        /// The buses are in the order of the unit's own, from the first one on. A missing input is silent, and a missing output
        /// is dropped. Every output block has `frameCount` frames; channels and frames of inputs are as with one input. A bus
        /// that `setFormat` leaves unconnected takes a block without channels.
        ///
        /// The events are in the order of their frames; those of one frame keep their order. A ramp may go on after the block.
        /// The host's own changes come before events of the same frame. `parameterValues` has the new values some milliseconds
        /// later. If the unit cannot be asked for the block, it gets the events with the next one.
        ///
        /// With a status other than `rendered` or `replaced`, all outputs are silent and no event was taken.
        @_noLocks @discardableResult
        public func callAsFunction(
            _ inputs: UnsafeBufferPointer<AudioBlock>, into outputs: UnsafeBufferPointer<AudioBlock>, frameCount: Int,
            events: UnsafeBufferPointer<BlockEvent> = UnsafeBufferPointer(start: nil, count: 0), at sampleTime: Int64? = nil,
            transport: Transport = Transport()
        ) -> RenderStatus {
            if let failure = begin(frameCount) { return refuse(outputs, failure) }
            guard let core = core.pointee else { return refuse(outputs, end(.noResources)) }
            guard core.pointee.fits(inputs, outputs, frameCount: frameCount) else { return refuse(outputs, end(.wrongBuses)) }
            if let failure = core.pointee.take(events, at: sampleTime, frameCount: frameCount) {
                return refuse(outputs, end(failure))
            }
            let counts = core.pointee.busCounts
            for bus in 0..<counts.inputs {
                core.pointee.read(bus < inputs.count ? inputs[bus] : nil, on: bus, frameCount: frameCount)
            }
            for bus in 0..<counts.outputs {
                core.pointee.write(bus < outputs.count ? outputs[bus] : nil, on: bus, frameCount: frameCount)
            }
            return end(core.pointee.render(frameCount: frameCount, at: sampleTime, transport))
        }

        /// `[control]` Renders as with buffers, for a program that renders offline and keeps blocks and events in arrays.
        @discardableResult
        public func callAsFunction(
            _ inputs: [AudioBlock], into outputs: [AudioBlock], frameCount: Int, events: [BlockEvent] = [],
            at sampleTime: Int64? = nil, transport: Transport = Transport()
        ) -> RenderStatus {
            inputs.withUnsafeBufferPointer { inputs in
                outputs.withUnsafeBufferPointer { outputs in
                    events.withUnsafeBufferPointer { events in
                        self(inputs, into: outputs, frameCount: frameCount, events: events, at: sampleTime, transport: transport)
                    }
                }
            }
        }
    }

    /// The render function for the render thread.
    ///
    /// It stays the same for as long as the unit lives, with or without resources. `[any]`
    public var renderBlock: RenderBlock { RenderBlock(gate: UnsafePointer(gate), core: UnsafePointer(core)) }
}

extension PluginUnit.RenderBlock {
    /// Takes the unit; returns the reason if it cannot render this many frames.
    @_noLocks
    private func begin(_ frameCount: Int) -> PluginUnit.RenderStatus? {
        guard frameCount >= 0 else { return .tooManyFrames }
        if let failure = gate.pointee.enter() { return failure }
        guard let core = core.pointee, core.pointee.accepts(frameCount: frameCount) else { return end(.tooManyFrames) }
        return nil
    }

    /// Renders between the first buses only.
    @_noLocks
    private func render(
        _ core: UnsafeMutablePointer<PluginUnitCore>, _ output: AudioBlock, at time: Int64?, _ transport: Transport
    ) -> PluginUnit.RenderStatus {
        let counts = core.pointee.busCounts
        for bus in 1..<max(1, counts.inputs) { core.pointee.read(nil, on: bus, frameCount: output.frameCount) }
        core.pointee.write(output, on: 0, frameCount: output.frameCount)
        for bus in 1..<max(1, counts.outputs) { core.pointee.write(nil, on: bus, frameCount: output.frameCount) }
        return end(core.pointee.render(frameCount: output.frameCount, at: time, transport))
    }

    /// Gives the unit back.
    @_noLocks
    private func end(_ status: PluginUnit.RenderStatus) -> PluginUnit.RenderStatus {
        gate.pointee.leave()
        return status
    }

    @_noLocks
    private func refuse(_ output: AudioBlock, _ reason: PluginUnit.RenderStatus) -> PluginUnit.RenderStatus {
        // A block with a negative frame count has no memory to silence.
        if output.frameCount > 0 { output.silence() }
        return reason
    }

    @_noLocks
    private func refuse(_ outputs: UnsafeBufferPointer<AudioBlock>, _ reason: PluginUnit.RenderStatus) -> PluginUnit.RenderStatus {
        for bus in 0..<outputs.count where outputs[bus].frameCount > 0 { outputs[bus].silence() }
        return reason
    }
}
