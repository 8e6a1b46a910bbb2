// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of a unit that is wired by hand, and the layout of its memory. Any thread.

import AudioUnits
import ControlMessages
import Wire

/// `[any]` The format and the sizes for a unit's allocation.
package struct HandWiredShape: Hashable, Sendable {
    /// The number of blocks of each memory, and of requests at a time.
    package static let slotCount = 2

    /// The format of each input bus; the first one is connected.
    package var inputs = [BusFormat(channelCount: 1)]
    /// The format of each output bus.
    package var outputs = [BusFormat(channelCount: 1)]
    /// The sample rate in frames a second.
    package var sampleRate = 48_000.0
    /// The most frames of a request.
    package var maximumFrameCount = 64
    /// The frames of a request, by default.
    package var frameCount = 16
    /// The number of events in each ring; a power of two.
    package var eventCapacity = 64

    /// Makes a mono bus in each direction, with blocks of 16 frames.
    package init() {}

    /// True if the unit has an input that can be connected.
    package var isConnected: Bool { !inputs.isEmpty }

    /// The layout of the memory that the first input reads.
    package var inputLayout: AudioMemoryLayout {
        AudioMemoryLayout(
            slotCount: Self.slotCount, channelCount: inputs.first?.channelCount ?? 0, maximumFrameCount: maximumFrameCount)
    }

    /// The layout of the memory that the unit writes.
    package var outputLayout: AudioMemoryLayout {
        AudioMemoryLayout(
            slotCount: Self.slotCount, channelCount: outputs.reduce(0) { $0 + $1.channelCount },
            maximumFrameCount: maximumFrameCount)
    }

    /// The message that requests the resources.
    package var allocation: Allocation {
        var connections = [InputConnection?](repeating: nil, count: inputs.count)
        if isConnected { connections[0] = InputConnection(layout: inputLayout, firstChannel: 0) }
        return Allocation(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, inputs: inputs, outputs: outputs, output: outputLayout,
            connections: connections, hasSuccessor: true)
    }
}
