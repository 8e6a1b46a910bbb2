// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place of a source at the environments that it feeds. Any thread.

import Rendering

/// A source with a place at environments.
///
/// The place belongs to the source. It holds for all its present and later connections to environments, and is kept while there are
/// none. `destination(forMixer:bus:)` sets one connection apart, until the source's own value is set again.
public protocol Audio3DMixing: AnyObject {
    /// The place in metres; at first the origin.
    var position: Audio3DPoint { get set }
    /// How much the direct way to the listener is obstructed, from −100 to 0 dB.
    var obstruction: Float { get set }
    /// How much all ways to the listener are occluded, from −100 to 0 dB.
    var occlusion: Float { get set }
    /// What becomes of the source inside the listener's head.
    var pointSourceInHeadMode: AudioPointSourceInHeadMode { get set }
}

extension Audio3DMixing {
    /// The place in metres; at first the origin.
    ///
    /// What is not finite is refused: the engine's next call that throws throws `impossiblePlace`.
    public var position: Audio3DPoint {
        get { placing.placement.position }
        set {
            guard newValue.isFinite else { return placing.refuse("the place \(newValue)") }
            placing.change { $0.position = newValue }
        }
    }

    /// How much the direct way from the source to the listener is obstructed, from −100 to 0 dB; at first 0.
    ///
    /// It lowers the source by so much. Below 0 dB it takes treble, too: a low pass of 6 dB an octave begins at 20 kHz, and an
    /// octave lower for each 12 dB, at 200 Hz at least. Values outside are clamped; NaN is refused.
    public var obstruction: Float {
        get { placing.placement.obstruction }
        set { setDecibels(\.obstruction, newValue, "an obstruction") }
    }

    /// How much all ways from the source to the listener are occluded, from −100 to 0 dB; at first 0.
    ///
    /// It adds to `obstruction`: there is only the direct way as yet.
    public var occlusion: Float {
        get { placing.placement.occlusion }
        set { setDecibels(\.occlusion, newValue, "an occlusion") }
    }

    /// What becomes of the source nearer than 8.75 cm; at first `mono`.
    public var pointSourceInHeadMode: AudioPointSourceInHeadMode {
        get { placing.placement.inHeadMode }
        set { placing.change { $0.inHeadMode = newValue } }
    }

    /// How the direction of the source is made heard; at first `equalPowerPanning`.
    @_disfavoredOverload
    public var renderingAlgorithm: AudioRenderingAlgorithm {
        get { placing.placement.algorithm }
        set { placing.change { ($0.algorithm, $0.askedAlgorithm) = (newValue, nil) } }
    }

    /// What is done with the channels of the source; at first `spatializeIfMono`.
    @_disfavoredOverload
    public var sourceMode: AudioSourceMode {
        get { placing.placement.mode }
        set { placing.change { $0.mode = newValue } }
    }

    /// The same two, for modules in which other properties have these names.
    package var placedAlgorithm: AudioRenderingAlgorithm {
        get { renderingAlgorithm }
        set { renderingAlgorithm = newValue }
    }
    package var placedMode: AudioSourceMode {
        get { sourceMode }
        set { sourceMode = newValue }
    }

    /// The number of an algorithm that a program has asked for by a name of Apple's systems, and that is not here; nil for none.
    ///
    /// The source is panned by equal power then.
    package var askedAlgorithm: Int? {
        get { placing.placement.askedAlgorithm }
        set { placing.change { ($0.algorithm, $0.askedAlgorithm) = (.equalPowerPanning, newValue) } }
    }

    private func setDecibels(_ path: WritableKeyPath<SourcePlacement, Float>, _ value: Float, _ name: String) {
        guard !value.isNaN else { return placing.refuse("\(name) of NaN") }
        placing.change { $0[keyPath: path] = max(-100, min(0, value)) }
    }

    private var placing: Placing {
        if let destination = self as? AudioMixingDestination { return .destination(destination) }
        return .source(self as? AudioNode)
    }
}

/// What a place is kept with.
private enum Placing {
    case source(AudioNode?)
    case destination(AudioMixingDestination)

    var placement: SourcePlacement {
        switch self {
        case .source(let node): node?.body.mixing?.placement ?? SourcePlacement()
        case .destination(let destination):
            destination.place?.placement.withLock { $0 } ?? destination.source.body.mixing?.placement ?? SourcePlacement()
        }
    }

    func change(_ change: (inout SourcePlacement) -> Void) {
        switch self {
        case .source(let node): node?.body.mixing?.setPlacement(change)
        case .destination(let destination):
            guard let place = destination.place else {
                return destination.source.refuse("a place at \"\(destination.mixer.name)\", which knows no places")
            }
            place.change(change)
        }
    }

    func refuse(_ what: String) {
        switch self {
        case .source(let node): node?.refuse(what)
        case .destination(let destination): destination.source.refuse(what)
        }
    }
}
