// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Installs taps on the buses of a node, for a handler, for a loop, or into a file. Any thread but the render thread.

import AudioFiles
import LinuxSystem
import RateConversion

/// A buffer of a tap, and the time of its first frame.
public struct TappedBuffer: Sendable {
    /// The samples.
    public let buffer: AudioPCMBuffer
    /// The engine's sample time and the host time of the first frame.
    public let time: AudioTime
}

extension AudioNode {
    /// The smallest and the largest buffer of a tap, in frames.
    static let tapSizes = 1...1 << 20

    /// Hands the frames of an output bus to `handler`, in buffers of `bufferSize` frames, 1 to 1,048,576.
    ///
    /// `format` may have another rate and other channels than the bus. By default it is the bus's format; before the first start of a
    /// device with a rate of its own, that is 48 kHz. Throws `noSuchBus`, `formatRefused` for a rate too far from the bus's, `tapSize`, or
    /// `system`.
    @discardableResult
    @_disfavoredOverload
    public func installTap(
        onBus bus: Int, bufferSize: Int, format: AudioFormat? = nil, handler: @escaping AudioTap.Handler
    ) throws(AudioEngineError) -> AudioTap {
        try installTap(onBus: bus, bufferSize: bufferSize, format: format, end: nil, handler: handler)
    }

    /// Returns the frames of an output bus as a sequence of buffers, which ends when the tap is removed.
    ///
    /// Buffers wait in memory until the program takes them. The tap is removed with the last iterator. All else is as for a handler.
    public func tap(
        onBus bus: Int, bufferSize: Int, format: AudioFormat? = nil
    ) throws(AudioEngineError) -> AsyncStream<TappedBuffer> {
        let (stream, continuation) = AsyncStream.makeStream(of: TappedBuffer.self)
        let end: @Sendable () -> Void = { continuation.finish() }
        let tap = try installTap(
            onBus: bus, bufferSize: bufferSize, format: format, end: end,
            handler: { continuation.yield(TappedBuffer(buffer: $0, time: $1)) })
        continuation.onTermination = { _ in tap.remove() }
        return stream
    }

    /// Removes all taps of an output bus.
    public func removeTap(onBus bus: Int) { removeTap { $0.bus == bus } }

    private func installTap(
        onBus bus: Int, bufferSize: Int, format: AudioFormat?, end: (@Sendable () -> Void)?, handler: @escaping AudioTap.Handler
    ) throws(AudioEngineError) -> AudioTap {
        guard let busFormat = outputFormat(forBus: bus) else {
            throw .noSuchBus(node: NamedNode(self), bus: bus, isInput: false, count: numberOfOutputs)
        }
        let format = format ?? busFormat
        guard (1...255).contains(format.channelCount), format.sampleRate > 0, format.sampleRate.isFinite else {
            throw .impossibleFormat(node: NamedNode(self), format)
        }
        guard RateStream.ratios.contains(format.sampleRate / busFormat.sampleRate) else {
            throw .formatRefused(
                node: NamedNode(self), bus: bus, format, reason: "the bus runs at \(busFormat.sampleRate) Hz, which is too far away"
            )
        }
        guard Self.tapSizes.contains(bufferSize) else {
            throw .tapSize(node: NamedNode(self), bufferSize, maximum: Self.tapSizes.upperBound)
        }
        let tap: AudioTap
        do throws(SystemError) {
            tap = try AudioTap(self, bus: bus, bufferSize: bufferSize, format: format, end: end, handler: handler)
        } catch {
            throw .system(error)
        }
        do throws(AudioEngineError) {
            try changeTaps { $0.append(tap) }
        } catch {
            tap.source.ring.pointee.close()
            throw error
        }
        return tap
    }

    func removeTap(where isMeant: (AudioTap) -> Bool) {
        var removed: [AudioTap] = []
        let change: (inout [AudioTap]) -> Void = { taps in
            removed += taps.filter(isMeant)
            taps.removeAll(where: isMeant)
        }
        do throws(AudioEngineError) { try changeTaps(change) } catch { engine?.keep(error) }
        for tap in removed { tap.source.ring.pointee.close() }
    }

    private func changeTaps(_ change: (inout [AudioTap]) -> Void) throws(AudioEngineError) {
        guard let engine else { return taps.withLock { change(&$0) } }
        _ = try engine.transaction("tap \"\(name)\"") { () throws(AudioEngineError) in taps.withLock { change(&$0) } }
    }
}
