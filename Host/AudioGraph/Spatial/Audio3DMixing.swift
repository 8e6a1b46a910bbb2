// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The position of a source at its environments. Any thread.

import Rendering

/// A source with a position at environments.
///
/// The position belongs to the source. It holds for all its present and later connections to environments, and stays while there are none.
/// `destination(forMixer:bus:)` gives one connection its own values, until the source's value is set again.
public protocol Audio3DMixing: AnyObject {
    /// The position in metres; at first the origin.
    var position: Audio3DPoint { get set }
    /// The obstruction of the direct path to the listener, from −100 to 0 dB.
    var obstruction: Float { get set }
    /// The occlusion of all paths to the listener, from −100 to 0 dB.
    var occlusion: Float { get set }
    /// The share of the source that the room of an environment hears, from 0 to 1.
    var reverbBlend: Float { get set }
    /// The sound of the source inside the listener's head.
    var pointSourceInHeadMode: AudioPointSourceInHeadMode { get set }
    /// The speed of the source with its pitch, from 0.5 to 2.
    var rate: Float { get set }
}

extension Audio3DMixing {
    /// The position in metres; at first the origin.
    ///
    /// A value that is not finite is refused: the engine's next call that throws throws `impossiblePlace`.
    public var position: Audio3DPoint {
        get { placing.placement.position }
        set {
            guard newValue.isFinite else { return placing.refuse("the place \(newValue)") }
            placing.change { ($0.position, $0.path) = (newValue, nil) }
        }
    }

    /// The way of the source through space; nil while `position` holds, which ends a way when it is set.
    public var path: AudioPath? {
        get { placing.placement.path }
        set { placing.change { $0.path = newValue } }
    }

    /// The obstruction of the direct path from the source to the listener, from −100 to 0 dB; at first 0.
    ///
    /// It lowers the source by this level. Below 0 dB a low pass of 6 dB an octave takes treble, too. It begins at 20 kHz, and an octave
    /// lower for each 12 dB, at 200 Hz at least. Values outside are clamped; NaN is refused.
    public var obstruction: Float {
        get { placing.placement.obstruction }
        set { setDecibels(\.obstruction, newValue, "an obstruction") }
    }

    /// The occlusion of all paths from the source to the listener, from −100 to 0 dB; at first 0.
    ///
    /// It adds to `obstruction` on the direct path, and lowers and filters what the room hears.
    public var occlusion: Float {
        get { placing.placement.occlusion }
        set { setDecibels(\.occlusion, newValue, "an occlusion") }
    }

    /// The share of the source that the room of an environment hears, from 0 to 1; at first 0.
    ///
    /// The rest is heard directly: at 0.5 both have the same level. Without a room the whole source is heard directly. Values outside are
    /// clamped; NaN is refused.
    public var reverbBlend: Float {
        get { placing.placement.reverbBlend }
        set {
            guard !newValue.isNaN else { return placing.refuse("a reverb blend of NaN") }
            placing.change { $0.reverbBlend = max(0, min(1, newValue)) }
        }
    }

    /// The sound of the source nearer than 8.75 cm; at first `mono`.
    public var pointSourceInHeadMode: AudioPointSourceInHeadMode {
        get { placing.placement.inHeadMode }
        set { placing.change { $0.inHeadMode = newValue } }
    }

    /// The speed of the source with its pitch, from 0.5 to 2; at first 1.
    ///
    /// At 2 it is an octave higher. Players, instruments and sources have a rate; their frames and times pass as much faster. Another node
    /// refuses it, and so does a destination, because all connections of a source share its rate. From the first rate other than 1 on, the
    /// source is late by 84 frames, as `latencyFrameCount` of a unit says. A change does not click; that first one fades the source out and
    /// in if it plays. Values outside are clamped; NaN is refused.
    public var rate: Float {
        get { placing.rate }
        set {
            guard !newValue.isNaN else { return placing.refuse("a rate of NaN") }
            placing.set(rate: max(SourceSpeed.rates.lowerBound, min(SourceSpeed.rates.upperBound, newValue)))
        }
    }

    /// The algorithm that makes the direction of the source audible; at first `equalPowerPanning`.
    @_disfavoredOverload
    public var renderingAlgorithm: AudioRenderingAlgorithm {
        get { placing.placement.algorithm }
        set { placing.change { $0.algorithm = newValue } }
    }

    /// The treatment of the source's channels; at first `spatializeIfMono`.
    @_disfavoredOverload
    public var sourceMode: AudioSourceMode {
        get { placing.placement.mode }
        set { placing.change { $0.mode = newValue } }
    }

    /// True if an ambience bed of 4 channels is a sound field of order 1, in ACN and SN3D; at first false: it is four loudspeakers.
    ///
    /// 9 and 16 channels are always a sound field.
    public var hasAmbisonicBed: Bool {
        get { placing.placement.hasFieldBed }
        set { placing.change { $0.hasFieldBed = newValue } }
    }

    /// The same as `renderingAlgorithm` and `sourceMode`, for modules in which other properties have these names.
    package var placedAlgorithm: AudioRenderingAlgorithm {
        get { renderingAlgorithm }
        set { renderingAlgorithm = newValue }
    }
    package var placedMode: AudioSourceMode {
        get { sourceMode }
        set { sourceMode = newValue }
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

/// The object that holds the position.
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

    /// The rate of the source.
    var rate: Float {
        switch self {
        case .source(let node): node?.speed?.rate ?? 1
        case .destination(let destination): destination.source.speed?.rate ?? 1
        }
    }

    func set(rate: Float) {
        switch self {
        case .source(let node): node?.setSpeed(rate)
        case .destination(let destination):
            guard rate != self.rate else { return }
            destination.source.refuse("a rate at \"\(destination.mixer.name)\" alone; set its own")
        }
    }

    func refuse(_ what: String) {
        switch self {
        case .source(let node): node?.refuse(what)
        case .destination(let destination): destination.source.refuse(what)
        }
    }
}
