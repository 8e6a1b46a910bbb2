// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The protocol of a program's own effect, generator or analyser in its own process. Control and render threads.

import AudioUnits
import Realtime

/// Processes audio in the program's own process, in a type whose functions the compiler checks.
///
/// Give it to an `AudioProcessorNode`, to which it belongs from then on. It stays at one address, and one thread at a time uses it. While
/// nothing renders, `setUp` runs on the thread that starts or edits the engine. `render`, `reset` and `latencyFrameCount` run on the render
/// thread.
///
/// Mark these three `@_noLocks`: then allocating, locking and counting references are errors. The mark on this protocol does not do that:
/// the compiler does not check the conforming type for it. A function without the mark is compiled unchecked, and may make every cycle
/// late. Allocate memory in `setUp`, and free it in `deinit`.
public protocol AudioProcessor: ~Copyable {
    /// `[control]` The input buses, the main one first; by default one bus of any number of channels.
    ///
    /// Buses and parameters are read once, when the node is made.
    var inputs: [Bus] { get }

    /// `[control]` The output buses, the main one first; by default one bus of any number of channels.
    ///
    /// An output has as many channels as the first input, or its default if it does not support that number.
    var outputs: [Bus] { get }

    /// `[control]` The parameters, which any thread may set; none by default.
    var parameterTree: ParameterTree { get }

    /// `[control]` Prepares for these formats, rate and longest block; does nothing by default.
    ///
    /// Called before the first block and again for each other set-up, while no block is rendered; `reset` follows. A processor that is set
    /// up again has had no sound for a while, and need not keep any. Throw `AudioProcessorRefusal` for an unsupported set-up.
    mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal)

    /// `[render]` Renders one block.
    ///
    /// All outputs are silent before.
    @_noLocks mutating func render(_ block: AudioProcessorBlock)

    /// `[render]` Discards all sound, and jumps to the present values; does nothing by default.
    ///
    /// Called after `setUp`, after `reset` of the engine or the node, and after an invalid block. The first call may come on the thread
    /// that sets the processor up.
    @_noLocks mutating func reset(_ values: AudioProcessorValues)

    /// `[render]` The frames by which the outputs lag behind the inputs; zero by default.
    ///
    /// Read after `setUp` and after each block. The engine delays other paths as much, within a tenth of a second after a change.
    var latencyFrameCount: Int { @_noLocks get }
}

extension AudioProcessor where Self: ~Copyable {
    /// One bus of any number of channels.
    public var inputs: [Bus] { [Bus("Input")] }
    /// One bus of any number of channels.
    public var outputs: [Bus] { [Bus("Output")] }
    /// No parameters.
    public var parameterTree: ParameterTree { ParameterTree() }
    /// `[control]` Accepts any formats, and does nothing.
    public mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {}
    /// `[render]` Does nothing.
    @_noLocks public mutating func reset(_ values: AudioProcessorValues) {}
    /// Zero.
    public var latencyFrameCount: Int { @_noLocks get { 0 } }
}
