// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that plays a level of its own on each channel, and tells which levels come in. Test thread, and the render thread.

import PipeWireIO
import Realtime
import Rendering
import Synchronization

/// What the node shares with the test.
private struct Levels: ~Copyable {
    let left = Atomic<UInt32>(0)
    let right = Atomic<UInt32>(0)
}

/// A node with two outputs, which play 0.01 and 0.02, and two inputs.
final class LevelNode: @unchecked Sendable {
    // SAFETY: the render thread and the test share atomics alone. Freed in deinit, after the driver has stopped.
    private let levels: UnsafeMutablePointer<Levels>
    private let driver: PipeWireDriver

    init(_ name: String, in session: PrivatePipeWire) throws {
        var configuration = PipeWireConfiguration(nodeName: name, description: name, kind: .filter, inputChannelCount: 2)
        configuration.socketPath = session.socketPath
        driver = PipeWireDriver(configuration)
        levels = .allocate(capacity: 1)
        levels.initialize(to: Levels())
        try driver.start(RenderCallback(function: playLevels, context: UnsafeMutableRawPointer(levels)))
    }

    deinit {
        driver.stop()
        levels.deinitialize(count: 1)
        levels.deallocate()
    }

    /// The levels that came in last, in thousandths.
    var heard: [Int] {
        [levels.pointee.left.load(ordering: .relaxed), levels.pointee.right.load(ordering: .relaxed)].map {
            Int((Float(bitPattern: $0) * 1000).rounded())
        }
    }
}

@_noLocks
private func playLevels(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    guard let context, let cycle else { return }
    let levels = context.assumingMemoryBound(to: Levels.self)
    let request = cycle.assumingMemoryBound(to: RenderCycle.self).pointee
    guard request.frameCount > 0, request.inputs.channelCount == 2 else { return request.outputs.silence() }
    let last = request.frameCount - 1
    levels.pointee.left.store(request.inputs[0][last].bitPattern, ordering: .relaxed)
    levels.pointee.right.store(request.inputs[1][last].bitPattern, ordering: .relaxed)
    for channel in 0..<request.outputs.channelCount {
        for frame in 0..<request.frameCount { request.outputs[channel][frame] = Float(channel + 1) / 100 }
    }
}
