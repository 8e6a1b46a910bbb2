// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter in Core Audio's form: unit, properties, scope. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// The number of a parameter.
public typealias AudioUnitParameterID = UInt32
/// A part of a unit.
public typealias AudioUnitScope = UInt32
/// A bus of a scope.
public typealias AudioUnitElement = UInt32

/// The unit as a whole.
public let kAudioUnitScope_Global: AudioUnitScope = 0
/// The inputs of the unit.
public let kAudioUnitScope_Input: AudioUnitScope = 1
/// The outputs of the unit.
public let kAudioUnitScope_Output: AudioUnitScope = 2

/// The unit has no render resources.
public let kAudioUnitErr_Uninitialized: OSStatus = -10_867
/// The unit does not support a format.
public let kAudioUnitErr_FormatNotSupported: OSStatus = -10_868
/// The unit has no such parameter.
public let kAudioUnitErr_InvalidParameter: OSStatus = -10_878

/// The quantity that a parameter measures.
public enum AudioUnitParameterUnit: UInt32, Sendable {
    /// A number, an index, a switch, per cent, seconds, frames, a phase, a rate, hertz, cents, semitones.
    case generic, indexed, boolean, percent, seconds, sampleFrames, phase, rate, hertz, cents, relativeSemiTones
    /// Notes, controllers, decibels, a gain, degrees, a crossfade, a fader, pan, metres, absolute cents, octaves.
    case midiNoteNumber, midiController, decibels, linearGain, degrees, equalPowerCrossfade, mixerFaderCurve1, pan, meters
    /// Absolute cents, octaves, tempo, beats, milliseconds, a ratio, a unit of its own.
    case absoluteCents, octaves, BPM, beats, milliseconds, ratio, customUnit

    init(_ unit: ParameterUnit) {
        self =
            switch unit {
            case .generic: .generic
            case .indexed: .indexed
            case .boolean: .boolean
            case .percent: .percent
            case .seconds: .seconds
            case .milliseconds: .milliseconds
            case .frames: .sampleFrames
            case .hertz: .hertz
            case .cents: .cents
            case .semitones: .relativeSemiTones
            case .octaves: .octaves
            case .decibels: .decibels
            case .linearGain: .linearGain
            case .ratio: .ratio
            case .degrees: .degrees
            case .beats: .beats
            case .beatsPerMinute: .BPM
            case .pan: .pan
            case .meters: .meters
            case .phase: .phase
            case .midiNote: .midiNoteNumber
            case .midiController: .midiController
            case .rate: .rate
            }
    }
}

/// Properties that a parameter has or lacks.
public struct AudioUnitParameterOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes properties from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The unit sets the value.
    public static let flag_MeterReadOnly = AudioUnitParameterOptions(rawValue: 1 << 15)
    /// Values have names.
    public static let flag_ValuesHaveStrings = AudioUnitParameterOptions(rawValue: 1 << 21)
    /// Programs show the parameter on a logarithmic scale.
    public static let flag_DisplayLogarithmic = AudioUnitParameterOptions(rawValue: 1 << 22)
    /// The unit can spread a change over a ramp.
    public static let flag_CanRamp = AudioUnitParameterOptions(rawValue: 1 << 25)
    /// The parameter can be read.
    public static let flag_IsReadable = AudioUnitParameterOptions(rawValue: 1 << 30)
    /// The parameter can be set.
    public static let flag_IsWritable = AudioUnitParameterOptions(rawValue: 1 << 31)

    init(_ flags: ParameterFlags) {
        self = .flag_IsReadable
        if flags.isDisjoint(with: [.readOnly, .meter]) { insert(.flag_IsWritable) } else { insert(.flag_MeterReadOnly) }
        if flags.contains(.logarithmic) { insert(.flag_DisplayLogarithmic) }
        if flags.contains(.canRamp) { insert(.flag_CanRamp) }
    }
}
