// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rendering blocks of the program's own through a unit. Render thread.

import Realtime
import Rendering

extension PluginUnit {
    /// What became of a block.
    public enum RenderStatus: UInt8, Sendable {
        /// The unit rendered it.
        case rendered
        /// The fallback is heard, in all of the block or in a part of it: the unit is late, dead or put out invalid audio.
        case replaced
        /// The unit is silent: the block is longer than `maximumFramesToRender`, or shorter than nothing.
        case tooManyFrames
        /// The unit is silent: it has no render resources.
        case noResources
        /// The unit is silent: another thread renders it at this moment.
        case busy
    }

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
        /// the unit does not have. Out of process the call returns within the block's length, whatever the plug-in does; offline
        /// it waits for the plug-in.
        ///
        /// `sampleTime` counts frames since rendering began; without one the block follows the block before.
        @_noLocks @discardableResult
        public func callAsFunction(
            _ input: AudioBlock, into output: AudioBlock, at sampleTime: Int64? = nil, transport: Transport = Transport()
        ) -> RenderStatus {
            if let failure = begin(output) { return failure }
            guard let core = core.pointee else { return end(.noResources) }
            return end(core.pointee.render(input, into: output, at: sampleTime, transport))
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
            if let failure = begin(output) { return failure }
            guard let core = core.pointee else { return end(.noResources) }
            let input = core.pointee.inputBlock(frameCount: output.frameCount)
            pull(input)
            return end(core.pointee.render(input, into: output, at: sampleTime, transport))
        }

        /// Takes the unit; silences the output and returns the status where it cannot render.
        @_noLocks
        private func begin(_ output: AudioBlock) -> RenderStatus? {
            // Such a block has no memory to be silent in.
            guard output.frameCount >= 0 else { return .tooManyFrames }
            if let failure = gate.pointee.enter() {
                output.silence()
                return failure
            }
            guard let core = core.pointee, core.pointee.accepts(frameCount: output.frameCount) else {
                output.silence()
                return end(.tooManyFrames)
            }
            return nil
        }

        @_noLocks
        private func end(_ status: RenderStatus) -> RenderStatus {
            gate.pointee.leave()
            return status
        }
    }

    /// What the render thread calls.
    ///
    /// It stays the same for as long as the unit lives, whether it has resources or not. `[any]`
    public var renderBlock: RenderBlock { RenderBlock(gate: UnsafePointer(gate), core: UnsafePointer(core)) }
}
