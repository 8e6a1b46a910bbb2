// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sound field of an environment: sources add to it, and it is decoded once a cycle. Control and render thread.

import Realtime
import Rendering
import Synchronization

/// A sound field of order 3 that a mixer finishes after its last source; see `SceneSum`.
///
/// `[control]` It plays nothing until it has a decoder. Another decoder is faded in over 20 ms.
public final class SoundFieldSum: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<Shared>
    private let kept = Mutex(Kept())

    /// What the render thread may still use.
    private struct Kept {
        var decoders: [FieldDecoder] = []
        var memories: [Memory] = []
        var frameCapacity = 0
    }

    /// A memory that lives as long as the sum.
    private final class Memory: Sendable {
        // SAFETY: after init only the render thread uses it.
        nonisolated(unsafe) let place: UnsafeMutablePointer<FieldMemory>

        init(frameCapacity: Int) {
            place = .allocate(capacity: 1)
            place.initialize(to: FieldMemory(frameCapacity: frameCapacity))
        }

        deinit {
            place.pointee.deallocate()
            place.deallocate()
        }
    }

    struct Shared: ~Copyable {
        let decoder = Atomic<UInt>(0)
        let memory = Atomic<UInt>(0)
    }

    /// Makes a field without a decoder.
    public init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: Core(shared: shared))
    }

    deinit {
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Makes room for cycles of up to `frameCount` frames; a processor calls it before its first cycle.
    public func reserve(frameCount: Int) {
        kept.withLock { kept in
            guard frameCount > kept.frameCapacity else { return }
            let memory = Memory(frameCapacity: frameCount)
            kept.frameCapacity = frameCount
            kept.memories.append(memory)
            // Release: the memory is complete.
            shared.pointee.memory.store(UInt(bitPattern: memory.place), ordering: .releasing)
        }
    }

    /// Plays the field through a decoder from the next cycle on.
    public func play(through decoder: FieldDecoder) {
        kept.withLock { kept in
            if let last = kept.decoders.last, last === decoder { return }
            kept.decoders.append(decoder)
            // Release: the decoder is complete.
            shared.pointee.decoder.store(UInt(bitPattern: decoder.core), ordering: .releasing)
        }
    }
}

extension SoundFieldSum {
    /// The render thread's part.
    struct Core {
        private let shared: UnsafeMutablePointer<Shared>
        private var memory: UnsafeMutablePointer<FieldMemory>?
        private var decoder: UnsafeMutablePointer<FieldDecoder.Core>?
        private var former: UnsafeMutablePointer<FieldDecoder.Core>?
        private var fadedFrameCount = 0

        init(shared: UnsafeMutablePointer<Shared>) { self.shared = shared }

        /// The frames of a channel, to which a source adds its own; nil for more frames than there is memory for.
        @_noLocks
        mutating func open(_ channel: Int, frameCount: Int) -> UnsafeMutablePointer<Float>? {
            if memory == nil || memory?.pointee.isOpen == false { takeMemory() }
            guard let memory, frameCount <= memory.pointee.frameCapacity else { return nil }
            return memory.pointee.open(channel)
        }

        /// Takes a larger memory, between two cycles.
        @_noLocks
        private mutating func takeMemory() {
            // Acquire: the memory is complete.
            guard let next = UnsafeMutablePointer<FieldMemory>(bitPattern: shared.pointee.memory.load(ordering: .acquiring)),
                next != memory
            else { return }
            if let memory { next.pointee.takeOver(memory.pointee) }
            memory = next
        }

        /// Decodes the field into the bus, and empties it.
        @_noLocks
        mutating func finish(_ call: FinishCall) {
            takeDecoder()
            let frameCount = call.output.pointee.block.frameCount
            guard let memory, !memory.pointee.isQuiet, frameCount <= memory.pointee.frameCapacity else {
                former = nil
                return
            }
            if let decoder {
                // Cannot trap: a cycle has a possible rate.
                play(memory, decoder, call.output.pointee.open(), Int(0.02 * call.cycle.pointee.sampleRate))
            }
            memory.pointee.finish(frameCount)
        }

        @_noLocks
        private mutating func takeDecoder() {
            guard former == nil else { return }
            // Acquire: the decoder is complete.
            let next = UnsafeMutablePointer<FieldDecoder.Core>(bitPattern: shared.pointee.decoder.load(ordering: .acquiring))
            guard next != decoder else { return }
            (former, decoder, fadedFrameCount) = (decoder, next, 0)
        }

        @_noLocks
        private mutating func play(
            _ memory: UnsafeMutablePointer<FieldMemory>, _ decoder: UnsafeMutablePointer<FieldDecoder.Core>,
            _ block: AudioBlock, _ fadeFrameCount: Int
        ) {
            guard let former, fadeFrameCount > 0 else { return memory.pointee.decode(decoder.pointee, to: block, FieldGain()) }
            let slope = 1 / Float(fadeFrameCount)
            let rest = max(0, min(block.frameCount, fadeFrameCount &- fadedFrameCount))
            let head = AudioBlock(channels: block.channels, channelCount: block.channelCount, frameCount: rest)
            memory.pointee.decode(former.pointee, to: head, FieldGain(start: 1, slope: -slope, elapsed: fadedFrameCount))
            memory.pointee.decode(
                decoder.pointee, to: block,
                FieldGain(start: 0, slope: slope, elapsed: fadedFrameCount, last: fadeFrameCount))
            fadedFrameCount &+= block.frameCount
            if fadedFrameCount >= fadeFrameCount { self.former = nil }
        }
    }
}
