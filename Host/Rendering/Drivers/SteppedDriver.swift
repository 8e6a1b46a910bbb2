// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver without a clock and without a thread: the caller renders one cycle after the other. Thread of the caller.

import LinuxSystem
import Realtime
import Synchronization

/// A driver whose cycles the caller renders, one at a time, on its own thread.
///
/// The caller writes the input with `input` and calls `render`. One thread at a time does so; any control thread may make the
/// other calls meanwhile.
public final class SteppedDriver: AudioDriver, @unchecked Sendable {
    // SAFETY: only the rendering thread uses the buffers. Everything else that changes is behind the mutex, or atomic.
    /// The most frames of a cycle.
    public let maximumFrameCount: Int
    /// The most frames of a cycle.
    public var cycleLimit: Int? { maximumFrameCount }
    private let sampleRate: Double
    private let input: AudioBuffer
    private let output: AudioBuffer
    /// Locked while a cycle is rendered, so that `stop` waits for its end.
    private let run = Mutex<Run?>(nil)
    private let cycleCount = Atomic<UInt64>(0)

    private struct Run {
        let callback: RenderCallback
        var sampleTime: Int64 = 0
    }

    /// Makes a driver with cycles of at most `maximumFrameCount` frames.
    ///
    /// `sampleRate` is in frames a second.
    public init(channelCount: Int, inputChannelCount: Int = 0, maximumFrameCount: Int, sampleRate: Double) {
        self.maximumFrameCount = maximumFrameCount
        self.sampleRate = sampleRate
        input = AudioBuffer(channelCount: inputChannelCount, frameCapacity: maximumFrameCount)
        output = AudioBuffer(channelCount: channelCount, frameCapacity: maximumFrameCount)
    }

    /// Keeps the callback for `render`.
    public func start(_ callback: RenderCallback) {
        cycleCount.store(0, ordering: .relaxed)
        run.withLock { $0 = Run(callback: callback) }
    }

    /// Drops the callback, once no cycle is being rendered.
    public func stop() { run.withLock { $0 = nil } }

    /// The input of the next cycle, for the caller to fill before `render`.
    public func input(frameCount: Int) -> AudioBlock { input.block(frameCount: frameCount) }

    /// Renders the next `frameCount` frames; the block is valid until the next call.
    ///
    /// `frameCount` must not exceed `maximumFrameCount`. A cycle that is not offline has a deadline. It comes `slowdown` times as
    /// late as in real time, and the cycle's own sample rate is lower by that factor. The block is silent while the driver is not
    /// started.
    @discardableResult
    public func render(
        frameCount: Int, isOffline: Bool = true, slowdown: Double = 1, transport: Transport = Transport()
    ) -> AudioBlock {
        let block = output.block(frameCount: frameCount)
        run.withLock { run in
            guard let present = run else { return block.silence() }
            let cycle = RenderCycle(
                sampleTime: present.sampleTime, hostTime: MonotonicClock.now(), sampleRate: sampleRate / slowdown,
                transport: transport, isOffline: isOffline, inputs: input.block(frameCount: frameCount), outputs: block)
            withUnsafePointer(to: cycle) { present.callback.function(present.callback.context, $0) }
            run?.sampleTime += Int64(frameCount)
            cycleCount.wrappingAdd(1, ordering: .relaxed)
        }
        return block
    }

    /// The present status; the quantum is the most frames of a cycle, and there are no xruns.
    public var status: DriverStatus {
        DriverStatus(
            sampleRate: sampleRate, quantum: maximumFrameCount, cycles: cycleCount.load(ordering: .relaxed), xruns: 0)
    }

    /// The channels that a cycle fills.
    public var outputChannelCount: Int { output.channelCount }

    /// Always nil: the caller's thread renders, and it may be any thread.
    public var renderThreadIdentifier: Int32? { nil }

    /// Always nil: the driver never fails.
    public var failure: String? { nil }

    /// Does nothing: the driver never fails.
    public func tellOfFailure(event: Int32) {}
}
