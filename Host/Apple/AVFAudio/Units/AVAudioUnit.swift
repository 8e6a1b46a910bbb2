// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// A node with the unit of an installed plug-in.
public typealias AVAudioUnit = AudioUnit
/// An effect: any unit here.
public typealias AVAudioUnitEffect = AudioUnit
/// A unit that makes sound by itself: any unit here.
public typealias AVAudioUnitGenerator = AudioUnit
/// A unit that changes time.
public typealias AVAudioUnitTimeEffect = AudioUnitTimeEffect
/// Plays faster or slower, and changes the pitch with the rate.
public typealias AVAudioUnitVarispeed = AudioUnitVarispeed
/// Changes rate and pitch independently of each other.
public typealias AVAudioUnitTimePitch = AudioUnitTimePitch
/// Bands of filters.
public typealias AVAudioUnitEQ = AudioUnitEQ
/// One band.
public typealias AVAudioUnitEQFilterParameters = AudioUnitEQFilterParameters
/// The kind of filter of a band.
public typealias AVAudioUnitEQFilterType = AudioUnitEQFilterType
/// An echo.
public typealias AVAudioUnitDelay = AudioUnitDelay
/// A distortion.
public typealias AVAudioUnitDistortion = AudioUnitDistortion
/// The presets of the distortion.
public typealias AVAudioUnitDistortionPreset = AudioUnitDistortionPreset
/// A reverb.
public typealias AVAudioUnitReverb = AudioUnitReverb
/// The presets of the reverb.
public typealias AVAudioUnitReverbPreset = AudioUnitReverbPreset

extension AudioUnit {
    /// Starts the plug-in of a description.
    ///
    /// If that fails, the engine's `start()` throws the reason. Apple's own effects mean their Bulkhead counterparts.
    public convenience init(audioComponentDescription description: AudioComponentDescription) {
        self.init(starting: description.native.description)
    }

    /// Starts the plug-in of a description, and passes it on when it has started.
    public static func instantiate(
        with description: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void
    ) {
        Task {
            do {
                completionHandler(try await instantiate(with: description, options: options), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// Starts the plug-in of a description.
    public static func instantiate(
        with description: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) async throws -> AVAudioUnit {
        try await AudioUnitEffect.instantiate(description.native, options: options.native)
    }

    /// The codes of the plug-in; empty if it could not be started.
    public var audioComponentDescription: AudioComponentDescription {
        plugin.map { AudioComponentDescription($0.component.description) } ?? AudioComponentDescription()
    }

    /// The manufacturer of the plug-in.
    public var manufacturerName: String { plugin?.component.manufacturerName ?? "" }

    /// The plug-in's version.
    public var version: Int { plugin.map { Int($0.component.version.rawValue) } ?? 0 }
}

extension AudioUnitTimePitch {
    /// The overlap of the pieces into which the sound is cut, 3 to 32; 8 by default.
    ///
    /// The value is kept, but has no effect: the plug-in chooses its own overlap. NaN changes nothing.
    public var overlap: Float {
        get { wantedOverlap.withLock { $0 } }
        set { if !newValue.isNaN { wantedOverlap.withLock { $0 = max(3, min(32, newValue)) } } }
    }

    /// Makes Bulkhead's Time Pitch for any description.
    public convenience init(audioComponentDescription description: AudioComponentDescription) { self.init() }
}

extension AudioUnitVarispeed {
    /// Makes Bulkhead's Varispeed for any description.
    public convenience init(audioComponentDescription description: AudioComponentDescription) { self.init() }
}
