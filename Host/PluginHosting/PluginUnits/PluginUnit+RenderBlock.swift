// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rendering blocks of the program's own through a unit. Render thread.

import Realtime
import Rendering

extension PluginUnit {
    /// Renders blocks of one unit.
    ///
    /// Fetch it once, on a control thread, and call it from the render thread.
    ///
    /// It is two pointers, which every thread may copy. It does not keep the unit alive: the unit must outlive the last call.
    public struct RenderBlock: @unchecked Sendable {
        // SAFETY: the gate consists of atomics, and lets one thread at a time use the core.
        let gate: UnsafePointer<RenderGate>
        let core: UnsafePointer<UnsafeMutablePointer<PluginUnitCore>?>

        /// `[render]` Renders `output.frameCount` frames of `input` into `output`.
        ///
        /// The blocks may be the same memory. Input channels and frames that are missing are silent; so are output channels that
        /// the unit does not have. Further inputs are silent, and further outputs are dropped. Out of process the call returns
        /// within the block's length, whatever the plug-in does; offline it waits for the plug-in.
        ///
        /// `sampleTime` counts frames since rendering began; without one the block follows the block before.
        @_noLocks @discardableResult
        public func callAsFunction(
            _ input: AudioBlock, into output: AudioBlock, at sampleTime: Int64? = nil, transport: Transport = Transport()
        ) -> RenderStatus {
            if let failure = begin(output.frameCount) { return refuse(output, failure) }
            guard let core = core.pointee else { return refuse(output, end(.noResources)) }
            core.pointee.read(input, on: 0, frameCount: output.frameCount)
            return render(core, output, at: sampleTime, transport)
        }

        /// `[render]` Renders `output.frameCount` frames of what `pull` writes into the block that it is handed.
        ///
        /// The block has the unit's channels and holds silence. `pull` is called once, before the unit renders, on this thread. The
        /// compiler checks the closure of a `@_noLocks` caller like the caller itself; let it call a `@_noLocks` function. All else is
        /// as with an input block.
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

    }

    /// What the render thread calls.
    ///
    /// It stays the same for as long as the unit lives, whether it has resources or not. `[any]`
    public var renderBlock: RenderBlock { RenderBlock(gate: UnsafePointer(gate), core: UnsafePointer(core)) }
}

extension PluginUnit.RenderBlock {
    /// Takes the unit; the reason if it cannot render so many frames.
    @_noLocks
    private func begin(_ frameCount: Int) -> PluginUnit.RenderStatus? {
        guard frameCount >= 0 else { return .tooManyFrames }
        if let failure = gate.pointee.enter() { return failure }
        guard let core = core.pointee, core.pointee.accepts(frameCount: frameCount) else { return end(.tooManyFrames) }
        return nil
    }

    /// Renders between the first buses alone.
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
        // A block of fewer than no frames has no memory to be silent in.
        if output.frameCount > 0 { output.silence() }
        return reason
    }
}
