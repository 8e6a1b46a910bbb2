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
    private let processor: SpatialProcessor
    /// The processor of the same source on its way to the room.
    private let roomProcessor = SpatialProcessor()
    private let roomConnection = Mutex<ConnectionState?>(nil)

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
        processor = SpatialProcessor(addingTo: space.sum)
        space.add(self)
    }

    func change(_ change: (inout SourcePlacement) -> Void) {
        let former = placement.withLock { $0 }
        space.change(self, change)
        let new = placement.withLock { $0 }
        if (new.algorithm, new.mode) != (former.algorithm, former.mode) { prepareHead() }
    }

    /// Takes the panner and the delays of an output; the caller holds the space's lock.
    func play(to output: EnvironmentOutput) {
        processor.setOutput(output.panner, headLatency: output.headLatency, fieldLatency: output.fieldLatency)
    }

    /// Updates the settings; the caller holds the space's lock.
    func update(_ values: EnvironmentSpace.Values) {
        let placement = placement.withLock { $0 }
        var settings = SpatialSettings()
        settings.source = placement.direct(beside: values.hasRoom)
        (settings.listener, settings.propagation) = (values.listener, values.propagation)
        settings.algorithm = placement.spatialAlgorithm(for: values.heardType)
        settings.head = head.withLock { $0.responses }
        settings.isFieldBed = placement.hasFieldBed
        if values.arrangement?.isField == true { playToField(&settings) }
        (settings.sourcePath, settings.listenerPath) = (placement.path?.spatial, values.listenerPath?.spatial)
        settings.listenerTurn = values.listenerMotion?.turn
        processor.set(settings)
        guard values.hasRoom else { return }
        (settings.source, settings.algorithm, settings.head) = (placement.inRoom, .equalPower, nil)
        roomProcessor.set(settings)
    }

    /// Plays to a sound field: channels without a place come from their loudspeakers.
    private func playToField(_ settings: inout SpatialSettings) {
        settings.algorithm = .soundField
        let channelCount = head.withLock { $0.shape?.sourceChannelCount } ?? 1
        if !settings.source.placing.isPoint(ofChannelCount: channelCount) { settings.source.placing = .ambience }
    }

    /// The connection of the source to the room, at the source's level there.
    func connectionToRoom(_ mixing: MixingState?) -> ConnectionState {
        roomConnection.withLock { connection in
            if let connection { return connection }
            let new = ConnectionState(mixing: mixing, processor: roomProcessor)
            connection = new
            return new
        }
    }

    /// Computes the filters that the algorithm asks for, and lets the head hear the source.
    func prepareHead() {
        guard let shape = head.withLock({ $0.shape }) else { return }
        var (responses, refusal): (HeadResponses?, HeadSetError?) = (nil, nil)
        if let quality = quality(shape) {
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

    /// The filters that the algorithm asks for; none for more channels than ears.
    private func quality(_ shape: ConnectionShape?) -> HeadQuality? {
        guard shape?.channelCount ?? 2 <= 2 else { return nil }
        let placement = placement.withLock { $0 }
        return placement.headQuality(ofChannelCount: shape?.sourceChannelCount ?? 1, for: space.values.heardType)
    }

    // MARK: - The processor

    var processFunction: Function { processor.processFunction }
    var scratchBlockCount: Int { processor.scratchBlockCount }

    /// The lag of the algorithm; that of a measured head counts from the choice on, before its filters are there.
    var latencyFrameCount: Int {
        let (shape, isRefused) = head.withLock { ($0.shape, $0.isRefused) }
        return !isRefused && quality(shape) != nil ? SceneSum.headLatencyFrameCount : processor.latencyFrameCount
    }

    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer {
        let isNew = head.withLock { head in
            defer { head.shape = shape }
            return head.shape?.sampleRate != shape.sampleRate || head.shape?.sourceChannelCount != shape.sourceChannelCount
                || head.shape?.channelCount != shape.channelCount
        }
        if isNew { prepareHead() }
        return processor.processContext(for: shape)
    }
}
