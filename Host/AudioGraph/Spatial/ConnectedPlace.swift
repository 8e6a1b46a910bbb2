// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source at one input bus of an environment: its placement, and the processor of its connection. Any thread but the render thread.

import Rendering
import Spatial
import Synchronization

/// The position of a source at one input bus of an environment, and the processor of its connection.
///
/// A head is read, and its filters are computed, when the first plan asks for them. So the first frame is already heard through the
/// head. If that fails, the environment reports the reason, and the source is panned by equal power.
final class ConnectedPlace: ConnectionProcessor {
    let placement: Mutex<SourcePlacement>
    private let space: EnvironmentSpace
    private let processor: SourceProcessor

    private struct Head {
        /// The connection, once a plan has it.
        var shape: ConnectionShape?
        /// The filters, once they are computed.
        var responses: HeadResponses?
        /// True if the last head could not be used.
        var isRefused = false
    }

    private let head = Mutex(Head())

    init(_ placement: SourcePlacement, in space: EnvironmentSpace) {
        self.placement = Mutex(placement)
        self.space = space
        processor = SourceProcessor(addingTo: space.sum)
        space.add(self)
    }

    func change(_ change: (inout SourcePlacement) -> Void) {
        let former = placement.withLock { $0 }
        space.change(self, change)
        let new = placement.withLock { $0 }
        if (new.algorithm, new.mode) != (former.algorithm, former.mode) { prepareHead() }
    }

    /// Updates the gains; the caller holds the space's lock.
    func update(_ values: EnvironmentSpace.Values) {
        let source = placement.withLock { $0 }.source
        let gains = source.pannerGains(for: values.listener)
        guard let responses = head.withLock({ $0.responses }) else { return processor.pan(gains) }
        processor.hear(source.headTarget(for: values.listener), through: responses, beside: gains)
    }

    /// Computes the filters that the algorithm asks for, and lets the head hear the source.
    func prepareHead() {
        guard let shape = head.withLock({ $0.shape }) else { return }
        var (responses, refusal): (HeadResponses?, HeadSetError?) = (nil, nil)
        if let quality = quality(shape.sourceChannelCount) {
            do throws(HeadSetError) {
                let head = if let chosen = space.values.head { chosen } else { try AudioHead.standard() }
                responses = try head.responses(sampleRate: shape.sampleRate, quality: quality)
            } catch { refusal = error }
        }
        let isNews = head.withLock { head in
            defer { (head.responses, head.isRefused) = (responses, refusal != nil) }
            return !head.isRefused
        }
        space.update(self)
        if let refusal, isNews { space.refuse(refusal) }
    }

    private func quality(_ channelCount: Int) -> HeadQuality? {
        placement.withLock { $0 }.headQuality(ofChannelCount: channelCount)
    }

    // MARK: - The processor

    var processFunction: Function { processor.processFunction }
    var scratchBlockCount: Int { processor.scratchBlockCount }

    /// The lag of a head's sum, from the choice of the algorithm on.
    var latencyFrameCount: Int {
        let (shape, isRefused) = head.withLock { ($0.shape, $0.isRefused) }
        return !isRefused && quality(shape?.sourceChannelCount ?? 1) != nil ? HeadMixerSum.latencyFrameCount : 0
    }

    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer {
        let isNew = head.withLock { head in
            defer { head.shape = shape }
            return head.shape?.sampleRate != shape.sampleRate || head.shape?.sourceChannelCount != shape.sourceChannelCount
        }
        if isNew { prepareHead() }
        return processor.processContext(for: shape)
    }
}
