// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sums of a mixer's sources at the ears of its listener. Control and render thread.

import Rendering
import Synchronization

/// The part of a `SceneSum` for all sources that a head hears.
///
/// It lags by 64 frames, so the processors that add to it have that latency.
final class HeadSums: Sendable {
    /// The sums for filters of each length, which are made when they are first needed.
    struct Fields: ~Copyable {
        private let small = Atomic<UnsafeMutablePointer<HeadField>?>(nil)
        private let middle = Atomic<UnsafeMutablePointer<HeadField>?>(nil)
        private let large = Atomic<UnsafeMutablePointer<HeadField>?>(nil)

        /// `[control]` Makes the sum for a length; one thread at a time.
        func prepare(_ transformSize: Int) {
            guard field(transformSize) == nil else { return }
            let new = UnsafeMutablePointer<HeadField>.allocate(capacity: 1)
            new.initialize(to: HeadField(transformSize: transformSize))
            // Releasing: the render thread finds the sum complete.
            switch transformSize {
            case 256: small.store(new, ordering: .releasing)
            case 512: middle.store(new, ordering: .releasing)
            default: large.store(new, ordering: .releasing)
            }
        }

        /// `[render]` The sum for a length; nil if no source needs it.
        @_noLocks
        func field(_ transformSize: Int) -> UnsafeMutablePointer<HeadField>? {
            switch transformSize {
            case 256: small.load(ordering: .acquiring)
            case 512: middle.load(ordering: .acquiring)
            default: large.load(ordering: .acquiring)
            }
        }

        /// `[render]` The frames from a frame of this cycle to the end of its block.
        @_noLocks
        func blockEnd(after frameCount: Int) -> Int {
            guard let field = field(256) ?? field(512) ?? field(1024) else { return HeadFormat.blockFrameCount }
            return HeadFormat.blockFrameCount &- field.pointee.phase(after: frameCount)
        }

        @_noLocks
        func finish(_ call: FinishCall) {
            guard call.output.pointee.block.frameCount <= HeadField.mostFrames else { return }
            field(256)?.pointee.finish(into: call.output)
            field(512)?.pointee.finish(into: call.output)
            field(1024)?.pointee.finish(into: call.output)
        }

        func deallocate() {
            for size in [256, 512, 1024] {
                guard let field = field(size) else { continue }
                field.pointee.deallocate()
                field.deallocate()
            }
        }
    }

    // SAFETY: the fields are atomics; after they are made only the render thread uses what they point to.
    nonisolated(unsafe) let fields: UnsafeMutablePointer<Fields>
    private let making = Mutex(())

    /// Makes sums without sources.
    init() {
        fields = .allocate(capacity: 1)
        fields.initialize(to: Fields())
    }

    deinit {
        fields.pointee.deallocate()
        fields.deinitialize(count: 1)
        fields.deallocate()
    }

    /// Makes the sum for filters of a length.
    func prepare(_ transformSize: Int) { making.withLock { _ in fields.pointee.prepare(transformSize) } }
}
