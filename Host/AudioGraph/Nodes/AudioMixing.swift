// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level of a source at its mixers, and its position at environments. Any thread.

import Rendering
import Synchronization

/// A source with a level at mixers.
///
/// The level belongs to the source. It holds for all its present and later connections to mixers, and stays while there are none.
/// Mixers and environments alone apply it, at their inputs: a connection to an effect passes the source on unchanged. Put a mixer in
/// front of the effect, or set the level of what leads from it to a mixer.
/// `destination(forMixer:bus:)` gives one connection its own level, until the source's level is set again.
public protocol AudioMixing: AudioNode, Audio3DMixing {
    /// The gain as a factor; 1 leaves the level unchanged.
    var volume: Float { get set }
    /// The pan: −1 is left, 0 the centre, 1 right.
    var pan: Float { get set }
}

extension AudioMixing {
    /// The gain at the inputs of mixers and environments as a factor; 1 leaves the level unchanged.
    public var volume: Float {
        get { mixingSettings.common.withLock { $0.volume } }
        set { mixingSettings.setCommon { $0.volume = newValue } }
    }

    /// The pan at the inputs of mixers: −1 is left, 0 the centre, 1 right; values outside are clamped.
    public var pan: Float {
        get { mixingSettings.common.withLock { $0.pan } }
        set { mixingSettings.setCommon { $0.pan = newValue } }
    }

    /// Sets the gain as `volume` does, except at the connections in `apart`, which keep theirs.
    package func setVolume(_ volume: Float, apart: [AudioMixingDestination]) {
        mixingSettings.setVolume(volume, apart: Set(apart.map(\.logIdentity)))
    }

    /// Sets the pan as `pan` does, except at the connections in `apart`, which keep theirs.
    package func setPan(_ pan: Float, apart: [AudioMixingDestination]) {
        mixingSettings.setPan(pan, apart: Set(apart.map(\.logIdentity)))
    }

    /// Returns the level at one input bus of a mixer, or the level and the position at an input bus of an environment.
    ///
    /// Nil if the source is not connected there.
    public func destination(forMixer mixer: AudioNode, bus: Int) -> AudioMixingDestination? {
        guard let state = engine?.connection(from: self, to: mixer, bus: bus), let mixing = state.mixing else { return nil }
        return AudioMixingDestination(self, mixer, mixing, state.companion as? ConnectedPlace)
    }

    var mixingSettings: MixingSettings { body.mixing ?? MixingSettings() }
}

/// The level of a source at one input bus of a mixer, or its level and position at an input bus of an environment.
public final class AudioMixingDestination: Audio3DMixing, Sendable {
    private let state: MixingState
    let source: AudioNode
    let mixer: AudioNode
    /// The position at an environment; nil for a mixer.
    let place: ConnectedPlace?

    init(_ source: AudioNode, _ mixer: AudioNode, _ state: MixingState, _ place: ConnectedPlace?) {
        (self.source, self.mixer, self.state, self.place) = (source, mixer, state, place)
    }

    /// The identity of the level in a log of the engine.
    package var logIdentity: UInt { state.logIdentity }

    /// True if the source has a place there: the mixer is an environment.
    package var hasPlace: Bool { place != nil }

    /// The gain as a factor.
    public var volume: Float {
        get { state.volume }
        set { state.volume = newValue }
    }

    /// The pan: −1 is left, 0 the centre, 1 right.
    public var pan: Float {
        get { state.pan }
        set { state.pan = newValue }
    }
}

/// The level of a source, and the states of its connections.
package final class MixingSettings: Sendable {
    struct Level {
        var volume: Float = 1
        var pan: Float = 0
        /// True if the source is lowered for the voice, and the present factor.
        var isOtherAudio = false
        var duck: Float = 1

        var gain: Float { isOtherAudio ? volume * duck : volume }
    }

    private struct Places {
        var common = SourcePlacement()
        var connected = WeakList<ConnectedPlace>()
    }

    let common = Mutex(Level())
    private let states = Mutex(WeakList<MixingState>())
    private let places = Mutex(Places())
    private let ownSpeed = Mutex<SourceSpeed?>(nil)

    /// The speed of the source; nil as long as its rate was always 1.
    var speed: SourceSpeed? { ownSpeed.withLock { $0 } }

    /// Sets the rate of the source; true if it is the first one other than 1.
    func setSpeed(_ rate: Float) -> Bool {
        ownSpeed.withLock { speed in
            if let speed {
                speed.rate = rate
                return false
            }
            guard rate != 1 else { return false }
            let new = SourceSpeed()
            new.rate = rate
            speed = new
            return true
        }
    }

    func setCommon(_ change: (inout Level) -> Void) {
        // One lock for both: all states end up with the values of the last caller.
        common.withLock { level in
            change(&level)
            level.volume = level.volume.isNaN ? 0 : level.volume
            level.pan = level.pan.isNaN ? 0 : max(-1, min(1, level.pan))
            for state in states.withLock({ $0.living }) { (state.volume, state.pan) = (level.gain, level.pan) }
        }
    }

    /// Sets the gain here, and at all connections except those with these identities in a log.
    func setVolume(_ volume: Float, apart: Set<UInt>) {
        common.withLock { level in
            level.volume = volume.isNaN ? 0 : volume
            for state in connected(but: apart) { state.volume = level.gain }
        }
    }

    /// Sets the pan here, and at all connections except those with these identities in a log.
    func setPan(_ pan: Float, apart: Set<UInt>) {
        common.withLock { level in
            level.pan = pan.isNaN ? 0 : max(-1, min(1, pan))
            for state in connected(but: apart) { state.pan = level.pan }
        }
    }

    private func connected(but apart: Set<UInt>) -> [MixingState] {
        states.withLock { $0.living.filter { !apart.contains($0.logIdentity) } }
    }

    /// Lowers the source by a factor, if it is other audio than the voice.
    func duck(to gain: Float) {
        let isOther = common.withLock { level in
            level.duck = gain
            return level.isOtherAudio
        }
        if isOther { setCommon { _ in } }
    }

    /// The first position of new connections to environments.
    var placement: SourcePlacement { places.withLock { $0.common } }

    /// Changes the position, here and at all connections.
    func setPlacement(_ change: (inout SourcePlacement) -> Void) {
        places.withLock { places in
            change(&places.common)
            for place in places.connected.living { place.change(change) }
        }
    }

    /// Makes the position of a new connection to an environment.
    func makePlace(in space: EnvironmentSpace) -> ConnectedPlace {
        places.withLock { places in
            let place = ConnectedPlace(places.common, in: space)
            places.connected.append(place)
            return place
        }
    }

    /// Makes the state of a new connection to a mixer.
    func makeState() -> MixingState {
        common.withLock { level in
            let state = MixingState()
            (state.volume, state.pan) = (level.gain, level.pan)
            states.withLock { $0.append(state) }
            return state
        }
    }
}
