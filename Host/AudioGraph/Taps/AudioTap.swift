// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands a program the frames of an output bus, in buffers of the size that it chose. Any thread; a tap has a thread of its own.

import AudioFormats
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// Hands out the frames of an output bus of a node, in buffers of one size.
///
/// A bus may have any number of taps. They belong to the node, which keeps them when it is connected in another way, detached, or attached
/// to another engine. A node with a tap is rendered even if nothing leads from it to the output.
///
/// The handler gets every frame once and in order, on a thread of the tap's own. It gets the engine's sample time and the host time of the
/// first frame, too. It may take its time. If it falls behind for longer than the tap's memory lasts, whole cycles are dropped and counted.
/// The buffer before such a gap is shorter. Offline the engine waits for the handler instead, 10 s at most. The last buffer before the tap
/// is removed is shorter, too.
public final class AudioTap: Sendable {
    /// Takes each buffer, which the handler may keep, and the time of its first frame.
    public typealias Handler = @Sendable (AudioPCMBuffer, AudioTime) -> Void

    /// The output bus.
    public let bus: Int
    /// The length of a buffer in frames.
    public let bufferSize: Int
    /// The format of the buffers.
    public let format: AudioFormat
    let source: TapSource
    /// The connection to the tap in plans: it is audible at once.
    let connection = ConnectionState.standing()
    let history = NodeHistory()
    private let node: Weak
    private let event: EventDescriptor
    private let isFinished = Mutex(false)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    private struct Weak: @unchecked Sendable {
        // SAFETY: set once, in init, and read by any thread.
        weak var node: AudioNode?
    }

    /// Starts the thread.
    init(
        _ node: AudioNode, bus: Int, bufferSize: Int, format: AudioFormat, end: (@Sendable () -> Void)? = nil,
        handler: @escaping Handler
    ) throws(SystemError) {
        (self.bus, self.bufferSize, self.format, self.node) = (bus, bufferSize, format, Weak(node: node))
        event = try EventDescriptor()
        source = TapSource(
            channelCount: format.channelCount, frameCount: max(4 * bufferSize, Int(nearestFrame: 2 * format.sampleRate)),
            bell: event.bell)
        let delivery = TapDelivery(source: source, event: event, format: format, bufferSize: bufferSize, handler: handler)
        let thread = try LinuxSystem.Thread(name: "tap") { [self] in
            delivery.run()
            end?()
            isFinished.withLock { $0 = true }
            resumeWaiting()
        }
        thread.detach()
    }

    /// The number of frames lost because the handler was too slow.
    public var droppedFrameCount: UInt64 { source.ring.pointee.droppedCount.load(ordering: .relaxed) }

    /// Removes the tap from its bus.
    ///
    /// The handler still gets the frames rendered before, soon. `finished` waits for that.
    public func remove() {
        if let node = node.node { node.removeTap { $0 === self } } else { source.ring.pointee.close() }
    }

    /// Waits until the handler has got the last buffer of a removed tap.
    public func finished() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            // The thread may have gone through the list just before.
            if isFinished.withLock({ $0 }) { resumeWaiting() }
        }
    }

    /// True if the handler has got the last buffer of a removed tap.
    var hasFinished: Bool { isFinished.withLock { $0 } }

    private func resumeWaiting() {
        let continuations = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in continuations { continuation.resume() }
    }
}

/// Delivers buffers on the thread of a tap, until the tap is removed or its node is released.
private struct TapDelivery: Sendable {
    let source: TapSource
    let event: EventDescriptor
    let format: AudioFormat
    let bufferSize: Int
    let handler: AudioTap.Handler

    func run() {
        let ring = source.ring
        while true {
            // This is checked first: frames written before the end are read below.
            let isClosed = ring.pointee.isClosed.load(ordering: .acquiring)
            if let (time, count, endsAtGap) = ring.pointee.front(), count >= bufferSize || isClosed || endsAtGap {
                deliver(min(count, bufferSize), at: time)
                continue
            }
            if isClosed { return }
            if ring.pointee.wants(bufferSize) { Descriptor.awaitAny([event.descriptor], nanoseconds: nil) }
            ring.pointee.wantsNothing()
            event.quieten()
        }
    }

    private func deliver(_ count: Int, at time: TapMark) {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: bufferSize) else {
            // Without memory for a buffer the frames are lost, and counted.
            source.ring.pointee.droppedCount.add(UInt64(count), ordering: .relaxed)
            source.ring.pointee.skip(count)
            return
        }
        buffer.frameLength = count
        source.ring.pointee.take(count, into: buffer.samples)
        handler(
            buffer, AudioTime(hostTime: time.hostTime, sampleTime: time.sampleTime, atRate: format.sampleRate))
    }
}

/// The render side of a tap.
final class TapSource: RenderNode {
    // SAFETY: the render thread writes, and one other thread reads, in the order that the ring's atomics enforce.
    nonisolated(unsafe) let ring: UnsafeMutablePointer<TapRing>

    init(channelCount: Int, frameCount: Int, bell: EventBell) {
        ring = .allocate(capacity: 1)
        ring.initialize(to: TapRing(channelCount: channelCount, frameCount: frameCount, bell: bell))
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(ring) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            TapSource.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let input = call.inputs[0]
        context.assumingMemoryBound(to: TapRing.self).pointee.write(input.block, isSilent: input.isSilent, call.cycle.pointee)
    }
}
