// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places a source in space, on a connection or for a voice. Any thread sets it; the render thread calls its function.

import AudioFormats
import Realtime
import Rendering
import Synchronization

/// The processor of a connection to a listener, for each algorithm.
///
/// All algorithms sound together, each at its own level, so a change between them is a fade over 20 ms.
///
/// Settings are reached in 20 ms; ways through space are followed frame by frame. The processor calculates the geometry itself, every 64
/// frames, so a source moves evenly whatever the cycles of the driver are. `[any]`
public final class SpatialProcessor: ConnectionProcessor {
    private struct State: ~Copyable {
        var settings: SpatialSettings
        var exchange: SceneExchange
        var cores: [SourceMemory] = []
        var panner: SpeakerPanner?
        /// The frames by which a spherical head delays its sources; nil if they follow from the connection.
        var headLatency: Int?
        /// The frames by which the decoder of the sound field delays it.
        var fieldLatency = 0
        /// The speakers of the source's channels, if the connection names them.
        var sourceLayout: ChannelLayout?

        init(_ settings: SpatialSettings) {
            self.settings = settings
            exchange = SceneExchange(SceneValues(settings, nil, DirectivityTables(), latencyFrameCount: 0))
        }
    }

    private let state: Mutex<State>
    private let sum: SceneSum?
    private let latency = Atomic<Int>(0)

    /// A processor for a source that has not been heard yet, which adds to the sums of its mixer.
    ///
    /// Without sums there is no sound field and no measured head: such sources are panned.
    public init(_ settings: SpatialSettings = SpatialSettings(), addingTo sum: SceneSum? = nil) {
        self.sum = sum
        state = Mutex(State(settings))
        set(settings)
    }

    /// Sets all values.
    public func set(_ settings: SpatialSettings) {
        state.withLock { state in
            state.settings = settings
            publish(&state)
        }
    }

    /// Sets the panner for a bus of more than two channels, and the delays of a head and of the decoder of the sound field.
    public func setOutput(_ panner: SpeakerPanner?, headLatency: Int, fieldLatency: Int) {
        state.withLock { state in
            (state.panner, state.headLatency, state.fieldLatency) = (panner, headLatency, fieldLatency)
            publish(&state)
        }
    }

    /// Hands all values to the render thread.
    private func publish(_ state: inout State) {
        let settings = state.settings
        let frames = latencyFrameCount(state)
        for core in state.cores { core.prepare(settings, state.panner, sum?.heads, latencyFrameCount: frames) }
        let bed = Self.bed(of: state, state.cores.last?.sourceChannelCount ?? 0)
        let directivities = DirectivityTables(settings)
        let owners: [(any AnyObject & Sendable)?] = [
            bed, settings.sourcePath?.table, settings.listenerPath?.table, settings.listenerTurn?.table, settings.head,
            settings.sourceMotion, settings.listenerMotion, settings.distanceCurve, directivities.source, directivities.listener,
        ]
        let scene = SceneValues(settings, bed, directivities, latencyFrameCount: frames)
        state.exchange.set(scene, keeping: owners.compactMap { $0 })
        // Relaxed: nothing else depends on it.
        latency.store(frames, ordering: .relaxed)
    }

    /// The directions of a bed's channels: as set, or those of its speakers, or of the usual ones; nil for a sound field, or for no bed.
    private static func bed(of state: borrowing State, _ channelCount: Int) -> BedTable? {
        let settings = state.settings
        guard settings.source.placing == .ambience, !(settings.isFieldBed && channelCount == 4) else { return nil }
        let named = state.sourceLayout.flatMap { $0.channelCount == channelCount ? SpeakerLayout($0) : nil }
        let layout = settings.bed ?? named ?? ChannelLayout.usual(channelCount).flatMap { SpeakerLayout($0) }
        return layout.map { BedTable($0) }
    }

    /// Forgets all sound, for a voice that another sound uses next; no thread renders with it meanwhile.
    public func beginAgain() { state.withLock { state in for core in state.cores { core.beginAgain() } } }

    /// The frames by which the algorithm delays a source: those of a head, or of the decoder of the sound field.
    public var latencyFrameCount: Int { latency.load(ordering: .relaxed) }

    private func latencyFrameCount(_ state: borrowing State) -> Int {
        let (settings, core) = (state.settings, state.cores.last)
        let fieldLatency = sum == nil ? 0 : state.fieldLatency
        let channelCount = core?.sourceChannelCount ?? 1
        if settings.source.placing == .ambience {
            // A bed without loudspeakers is a sound field.
            let isPanned = settings.algorithm == .equalPower && Self.bed(of: state, channelCount) != nil
            return isPanned ? 0 : fieldLatency
        }
        guard settings.source.placing.isPoint(ofChannelCount: channelCount) else { return 0 }
        switch settings.algorithm {
        case .equalPower: return 0
        case .sphericalHead: return state.headLatency ?? core?.headLatency ?? 0
        case .measuredHead:
            return sum == nil || settings.head == nil || core?.isForEars == false ? 0 : HeadField.latencyFrameCount
        case .soundField: return fieldLatency
        }
    }

    /// Blocks for the source as one point, for a product, and for two gains of channels that go through.
    public var scratchBlockCount: Int { SourceCore.scratchBlockCount }

    /// The render state for a shape; a shape that was there before has the same state.
    public func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer {
        sum?.field.reserve(frameCount: shape.maximumFrameCount)
        return state.withLock { state in
            state.sourceLayout = shape.sourceLayout
            if let index = state.cores.firstIndex(where: { $0.fits(shape) }) {
                state.cores.swapAt(index, state.cores.count - 1)
            } else {
                let values = SceneValues(state.settings, nil, DirectivityTables(), latencyFrameCount: 0)
                state.cores.append(SourceMemory(shape, state.exchange.reader, values, hasField: sum != nil))
            }
            publish(&state)
            return state.cores[state.cores.count - 1].context
        }
    }

    /// The function that adds the source to a bus, to a sound field, and to the ears of heads.
    public var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SpatialProcessor.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: ConnectionCall.self)
        context.assumingMemoryBound(to: SourceCore.self).pointee.process(call.pointee)
    }
}
