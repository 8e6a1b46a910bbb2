// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// A unit of an installed plug-in as a node.
public typealias AVAudioUnit = AudioUnit
/// An effect: any unit here.
public typealias AVAudioUnitEffect = AudioUnit
/// A unit that makes sound by itself: any unit here.
public typealias AVAudioUnitGenerator = AudioUnit
/// A unit that changes time.
public typealias AVAudioUnitTimeEffect = AudioUnitTimeEffect
/// Plays faster or slower, and higher or lower with it.
public typealias AVAudioUnitVarispeed = AudioUnitVarispeed
/// Plays faster or slower at the same pitch, or at another pitch.
public typealias AVAudioUnitTimePitch = AudioUnitTimePitch
/// Bands of filters.
public typealias AVAudioUnitEQ = AudioUnitEQ
/// One band.
public typealias AVAudioUnitEQFilterParameters = AudioUnitEQFilterParameters
/// What a band does.
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
    /// Starts the plug-in that a description means.
    ///
    /// Where that fails, the engine's `start()` throws the reason. Apple's own effects mean Bulkhead's of the same purpose.
    public convenience init(audioComponentDescription description: AudioComponentDescription) {
        self.init(starting: description.native.description)
    }

    /// Starts the plug-in that a description means, and hands it over when it has started.
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

    /// Starts the plug-in that a description means.
    public static func instantiate(
        with description: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) async throws -> AVAudioUnit {
        try await AudioUnitEffect.instantiate(description.native, options: options.native)
    }

    /// What names the plug-in; nothing where it could not be started.
    public var audioComponentDescription: AudioComponentDescription {
        plugin.map { AudioComponentDescription($0.component.description) } ?? AudioComponentDescription()
    }

    /// Who made the plug-in.
    public var manufacturerName: String { plugin?.component.manufacturerName ?? "" }

    /// The plug-in's version.
    public var version: Int { plugin.map { Int($0.component.version.rawValue) } ?? 0 }
}

extension AudioUnitTimePitch {
    /// How much the pieces overlap that the sound is cut into, 3 to 32; at first 8.
    ///
    /// The value is kept, and nothing follows from it: SoundTouch chooses its own overlap. NaN changes nothing.
    public var overlap: Float {
        get { wantedOverlap.withLock { $0 } }
        set { if !newValue.isNaN { wantedOverlap.withLock { $0 = max(3, min(32, newValue)) } } }
    }

    /// Bulkhead's Time Pitch, whatever the description says.
    public convenience init(audioComponentDescription description: AudioComponentDescription) { self.init() }
}

extension AudioUnitVarispeed {
    /// Bulkhead's Varispeed, whatever the description says.
    public convenience init(audioComponentDescription description: AudioComponentDescription) { self.init() }
}
