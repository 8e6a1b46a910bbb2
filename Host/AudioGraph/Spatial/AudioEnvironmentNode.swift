// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that puts its sources into the space around a listener. Any thread.

import AudioFormats
import Printing
import Rendering
import Spatial

/// Lets a listener hear its sources by their positions, and adds them up.
///
/// It has any number of inputs. Its output has one or two channels, or those of loudspeakers that surround the listener: 5.1, 7.1, 7.1.4
/// and other layouts. A source has a `position` and more: see `Audio3DMixing`. Axes are right-handed: x to the right, y upwards, z to the
/// back. The listener begins at the origin, and looks to the front, along −z. Changes glide over 20 ms, and ways through space are followed
/// frame by frame.
///
/// A value that is not finite is refused: the value before stays, and the engine's next call that throws throws `impossiblePlace`.
open class AudioEnvironmentNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that threads may share.
    let level: MixerLevel
    let space: EnvironmentSpace

    /// Makes an environment.
    public init() {
        (level, space) = (MixerLevel(), EnvironmentSpace())
        super.init(name: "Environment", body: EnvironmentBody(level, space))
        space.belong(to: self)
    }

    /// The gain of the output as a factor; 1 leaves the level unchanged.
    public var outputVolume: Float {
        get { level.volume }
        set { level.volume = newValue }
    }

    /// The identity of the output's level in a log of the engine.
    package var logIdentity: UInt { level.logIdentity }

    /// The first input bus without a connection.
    public var nextAvailableInputBus: Int { engine?.firstFreeInput(of: self) ?? 0 }

    /// The position of the listener in metres; at first the origin.
    public var listenerPosition: Audio3DPoint {
        get { space.values.listenerPosition }
        set {
            guard newValue.isFinite else { return refuse("a listener at \(newValue)") }
            space.change { ($0.listenerPosition, $0.listenerPath) = (newValue, nil) }
        }
    }

    /// The way of the listener; nil while `listenerPosition` holds, which ends a way when it is set.
    public var listenerPath: AudioPath? {
        get { space.values.listenerPath }
        set { space.change { $0.listenerPath = newValue } }
    }

    /// The kind of output; at first `auto`, the kind of device that the engine's driver plays to.
    ///
    /// For headphones, sources with the algorithm `auto` are heard through `head`, and the sound field is decoded to two ears.
    public var outputType: AudioEnvironmentOutputType {
        get { space.values.outputType }
        set {
            space.changeHeads { $0.outputType = newValue }
            if newValue == .auto, let engine, engine.isRunning { engine.followOutput() }
        }
    }

    /// The channels of the output, where a format does not tell; at first nil: those of the format.
    ///
    /// Set it before the output is connected, with a format of as many channels. In a sound field all sources use the algorithm
    /// `soundField`, and channels without a place come from their loudspeakers. An unknown layout, or another order, is refused.
    public var outputArrangement: AudioEnvironmentArrangement? {
        get { space.values.arrangement }
        set {
            if let newValue, newValue.channelCount == nil { return refuse("\(newValue) at its output") }
            space.changeHeads { $0.arrangement = newValue }
        }
    }

    /// True if the air takes treble from distant sources; at first false.
    ///
    /// The loss follows ISO 9613-1 and the true distance, whatever the roll-off. See `airTemperature` and `airHumidity`.
    public var absorbsTreble: Bool {
        get { space.values.propagation.isAbsorbing }
        set { space.change { $0.propagation.isAbsorbing = newValue } }
    }

    /// True if sound travels at its speed: it arrives late, and motion changes its pitch; at first false.
    ///
    /// The pitch changes to half and to twice at most. Sound travels for a second at most, 343 m.
    public var hasDopplerEffect: Bool {
        get { space.values.propagation.hasDoppler }
        set { space.change { $0.propagation.hasDoppler = newValue } }
    }

    /// The temperature of the air in degrees Celsius, from −50 to 60; at first 20.
    public var airTemperature: Float {
        get { Float(space.values.propagation.air.temperatureCelsius) }
        set {
            guard newValue >= -50, newValue <= 60 else { return refuse("air of \(newValue) °C") }
            space.change { $0.propagation.air.temperatureCelsius = Double(newValue) }
        }
    }

    /// The relative humidity of the air in per cent, from 0 to 100; at first 50.
    public var airHumidity: Float {
        get { Float(space.values.propagation.air.relativeHumidity) }
        set {
            guard newValue >= 0, newValue <= 100 else { return refuse("a humidity of \(newValue) %") }
            space.change { $0.propagation.air.relativeHumidity = Double(newValue) }
        }
    }

    /// The orientation of the listener as two directions; the angles follow.
    ///
    /// They need not be of length 1, nor at right angles. A pair in one line, or without a direction, is refused.
    public var listenerVectorOrientation: Audio3DVectorOrientation {
        get { space.values.vectors }
        set {
            guard let axes = HeadAxes(newValue) else {
                return refuse("a listener who looks to \(newValue.forward), with the head up to \(newValue.up)")
            }
            space.change {
                ($0.listener.axes, $0.vectors, $0.angles, $0.listenerMotion) = (axes, newValue, axes.angularOrientation, nil)
            }
        }
    }

    /// The orientation of the listener as three angles in degrees; the directions follow.
    public var listenerAngularOrientation: Audio3DAngularOrientation {
        get { space.values.angles }
        set {
            guard newValue.isFinite else {
                return refuse("a listener turned by \(newValue.yaw), \(newValue.pitch) and \(newValue.roll) degrees")
            }
            let axes = HeadAxes(newValue)
            space.change { ($0.listener.axes, $0.vectors, $0.angles, $0.listenerMotion) = (axes, axes.vectors, newValue, nil) }
        }
    }

    /// The turns of the listener's head; nil while the orientation holds, which ends them when it is set.
    public var listenerMotion: AudioHeadMotion? {
        get { space.values.listenerMotion }
        set { space.change { $0.listenerMotion = newValue } }
    }

    /// The head of the listener, for `HRTF`, `HRTFHQ` and `auto` at headphones; nil for the standard one, KEMAR, which is nil at first.
    ///
    /// A head that cannot be used is refused: the engine's next call that throws throws `head`, and such sources are panned by equal power.
    public var head: AudioHead? {
        get { space.values.head }
        set { space.changeHeads { $0.head = newValue } }
    }

    /// The loss of level with the distance.
    public var distanceAttenuationParameters: AudioEnvironmentDistanceAttenuationParameters {
        AudioEnvironmentDistanceAttenuationParameters(self)
    }

    /// The room around listener and sources; at first there is none.
    public var reverbParameters: AudioEnvironmentReverbParameters { AudioEnvironmentReverbParameters(self) }

    /// The available algorithms.
    @_disfavoredOverload
    public var applicableRenderingAlgorithms: [AudioRenderingAlgorithm] { AudioRenderingAlgorithm.allCases }
}

/// Answers the engine for an environment.
private struct EnvironmentBody: NodeBody {
    private let level: MixerLevel
    private let space: EnvironmentSpace
    let mixing: MixingSettings? = MixingSettings()

    init(_ level: MixerLevel, _ space: EnvironmentSpace) { (self.level, self.space) = (level, space) }

    /// As many as fit into a plan.
    var inputCount: Int { AudioMixerNode.mostInputs }
    var addsUp: Bool { true }
    var work: RenderGraph.Work? { .mix(level, space.sum) }

    func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        if let arrangement = space.values.arrangement, let count = arrangement.channelCount {
            return format.channelCount == count ? nil : "it puts out the \(count) channels of \(arrangement)"
        }
        guard format.channelCount > 2, EnvironmentOutput.panner(format, nil) == nil else { return nil }
        return "it puts out one or two channels, or those of loudspeakers all around the listener, such as 5.1"
    }

    var takesResources: Bool { true }

    func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        Self.format(formats, environment).map { !space.plays(to: $0) } ?? false
    }

    /// Makes the panner and the decoder for the output; the sources go on meanwhile.
    func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError) {
        if let format = Self.format(formats, environment) { space.play(to: format) }
    }

    private static func format(_ formats: NodeFormats, _ environment: RenderEnvironment) -> AudioFormat? {
        guard var format = formats.outputs.first else { return nil }
        if format.sampleRate <= 0 { format.sampleRate = environment.sampleRate }
        return format
    }

    func makeConnection(from source: MixingSettings?) -> ConnectionState {
        guard let source else { return ConnectionState() }
        if let room = space.knownRoom, source === room.filter.body.mixing { return room.makeConnection() }
        let place = source.makePlace(in: space)
        return ConnectionState(mixing: source.makeState(), processor: place, companion: place)
    }
}

extension EnvironmentBody {
    func echo(of connection: ConnectionState) -> (node: AudioNode, state: ConnectionState)? {
        guard let room = space.knownRoom, let place = connection.companion as? ConnectedPlace else { return nil }
        return (room.send, place.connectionToRoom(connection.mixing))
    }

    func didAttach(_ node: AudioNode, to engine: AudioEngine) throws(AudioEngineError) {
        if space.values.hasRoom { try space.room.enter(node, engine) }
        if engine.isRunning { engine.followOutput() }
    }

    func willDetach(_ node: AudioNode, from engine: AudioEngine) throws(AudioEngineError) {
        try space.knownRoom?.leave(engine)
    }

    var followsOutput: Bool { space.values.outputType == .auto }

    func follow(_ output: DriverOutputKind?) { space.follow(output) }

    var wantsAttention: Bool { space.knownRoom?.isToBeSilenced ?? false }

    /// Silences a room whose reverb is in quarantine: it would pass the sources on without a place.
    func attend(_ node: AudioNode) {
        if let room = space.knownRoom, room.isToBeSilenced { room.level.volume = 0 }
    }
}

/// The loss of level of sources with their distance from the listener; see `AudioEnvironmentNode`.
public final class AudioEnvironmentDistanceAttenuationParameters: Sendable {
    private let node: AudioEnvironmentNode

    init(_ node: AudioEnvironmentNode) { self.node = node }

    /// The law; at first `inverse`.
    public var distanceAttenuationModel: AudioDistanceAttenuationModel {
        get { node.space.values.distanceModel }
        set { node.space.change { $0.distanceModel = newValue } }
    }

    /// The distance in metres up to which there is no loss, above 0; at first 1.
    public var referenceDistance: Float {
        get { node.space.values.listener.distance.reference }
        set { set(\.reference, newValue, "a reference distance of \(newValue) m", isPossible: newValue > 0) }
    }

    /// The distance in metres beyond which the loss stays the same, above 0; at first 100,000.
    public var maximumDistance: Float {
        get { node.space.values.listener.distance.maximum }
        set { set(\.maximum, newValue, "a maximum distance of \(newValue) m", isPossible: newValue > 0) }
    }

    /// The speed of the loss, from 0; at first 1.
    public var rolloffFactor: Float {
        get { node.space.values.listener.distance.rolloff }
        set { set(\.rolloff, newValue, "a roll-off factor of \(newValue)", isPossible: newValue >= 0) }
    }

    private func set(_ path: WritableKeyPath<DistanceLaw, Float>, _ value: Float, _ name: String, isPossible: Bool) {
        guard isPossible, value.isFinite else { return node.refuse(name) }
        node.space.change { $0.listener.distance[keyPath: path] = value }
    }
}

extension AudioNode {
    private static let errors = OfferedLines(prefix: "AudioGraph: ")

    /// Refuses an impossible value.
    ///
    /// The engine's next call that throws throws the refusal; without an engine it goes to standard error.
    func refuse(_ what: String) {
        let error = AudioEngineError.impossiblePlace(node: NamedNode(self), reason: what)
        refuse(error)
    }

    /// Reports that a head cannot be used.
    func refuse(_ error: HeadSetError) { refuse(AudioEngineError.head(node: NamedNode(self), error)) }

    private func refuse(_ error: AudioEngineError) {
        if let engine { engine.keep(error) } else { Self.errors.offer(error.description) }
    }
}
