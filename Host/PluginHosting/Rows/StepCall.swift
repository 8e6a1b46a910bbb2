// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a row is called with: the cycle, its input and the block that it fills. Render thread.

import Realtime
import Rendering

/// A call of a row.
struct StepCall {
    /// The cycle to render.
    let cycle: RenderCycle
    /// The signal to read.
    let input: AudioBlock
    /// The signals of the input buses from the second one on.
    var sideInputs: UnsafePointer<BusAudio>?
    var sideInputCount = 0
    /// The block to fill.
    let output: AudioBlock
    /// The blocks of the output buses from the second one on.
    var sideOutputs: UnsafePointer<BusAudio>?
    var sideOutputCount = 0
    /// Whether a unit that a node of this cycle waits for has been late; see `NodeCall`.
    let hasBeenLate: UnsafeMutablePointer<Bool>

    @_noLocks
    init(cycle: RenderCycle, input: AudioBlock, output: AudioBlock, hasBeenLate: UnsafeMutablePointer<Bool>) {
        self.cycle = cycle
        self.input = input
        self.output = output
        self.hasBeenLate = hasBeenLate
    }

    @_noLocks
    init(_ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        self.init(cycle: call.cycle.pointee, input: call.input, output: call.output, hasBeenLate: call.hasBeenLate)
        if call.inputCount > 1 { (sideInputs, sideInputCount) = (call.inputs + 1, call.inputCount - 1) }
        if call.outputCount > 1 { (sideOutputs, sideOutputCount) = (UnsafePointer(call.outputs) + 1, call.outputCount - 1) }
    }
}
