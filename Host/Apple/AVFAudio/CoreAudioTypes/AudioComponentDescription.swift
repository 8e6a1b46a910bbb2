// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The codes of a component, and those of Apple's own components. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// Type, subtype and manufacturer of a component.
public struct AudioComponentDescription: Hashable, Sendable {
    /// The type, such as `kAudioUnitType_Effect`.
    public var componentType: OSType
    /// The subtype.
    public var componentSubType: OSType
    /// The manufacturer.
    public var componentManufacturer: OSType
    /// Always 0.
    public var componentFlags: UInt32
    /// Always 0.
    public var componentFlagsMask: UInt32

    /// Makes a description of these codes; 0 matches any code.
    public init(
        componentType: OSType, componentSubType: OSType, componentManufacturer: OSType, componentFlags: UInt32,
        componentFlagsMask: UInt32
    ) {
        (self.componentType, self.componentSubType) = (componentType, componentSubType)
        self.componentManufacturer = componentManufacturer
        (self.componentFlags, self.componentFlagsMask) = (componentFlags, componentFlagsMask)
    }

    /// Makes a description that matches any component.
    public init() {
        self.init(
            componentType: 0, componentSubType: 0, componentManufacturer: 0, componentFlags: 0, componentFlagsMask: 0)
    }

    /// Makes the description of a Bulkhead component.
    init(_ description: ComponentDescription) {
        self.init(
            componentType: description.type.rawValue, componentSubType: description.subtype.rawValue,
            componentManufacturer: description.manufacturer.rawValue, componentFlags: 0, componentFlagsMask: 0)
    }

    /// Apple's effects that have a counterpart in Bulkhead.
    private static let counterparts: [OSType: OSType] = [
        kAudioUnitSubType_Delay: OSType(code: "dlay"), kAudioUnitSubType_Reverb2: OSType(code: "rvrb"),
        kAudioUnitSubType_MatrixReverb: OSType(code: "rvrb"), kAudioUnitSubType_Distortion: OSType(code: "dist"),
        kAudioUnitSubType_NBandEQ: OSType(code: "eqlz"), kAudioUnitSubType_Varispeed: OSType(code: "vari"),
        kAudioUnitSubType_NewTimePitch: OSType(code: "tmpt"), kAudioUnitSubType_TimePitch: OSType(code: "tmpt"),
        kAudioUnitSubType_AUiPodTimeOther: OSType(code: "tmpt"), kAudioUnitSubType_Sampler: OSType(code: "samp"),
        kAudioUnitSubType_MIDISynth: OSType(code: "samp"),
        kAudioUnitSubType_DLSSynth: OSType(code: "samp"), kAudioUnitSubType_VoiceProcessingIO: OSType(code: "vpio"),
    ]

    /// The Bulkhead component: for one of Apple's effects, its counterpart.
    var native: ComponentDescription {
        var (subtype, manufacturer) = (componentSubType, componentManufacturer)
        if manufacturer == kAudioUnitManufacturer_Apple, let counterpart = Self.counterparts[subtype] {
            (subtype, manufacturer) = (counterpart, OSType(code: "blkh"))
        }
        return ComponentDescription(
            type: AudioUnits.FourCharCode(rawValue: componentType), subtype: AudioUnits.FourCharCode(rawValue: subtype),
            manufacturer: AudioUnits.FourCharCode(rawValue: manufacturer))
    }
}

/// An effect.
public let kAudioUnitType_Effect = OSType(code: "aufx")
/// An effect that takes MIDI.
public let kAudioUnitType_MusicEffect = OSType(code: "aumf")
/// An instrument.
public let kAudioUnitType_MusicDevice = OSType(code: "aumu")
/// A unit that makes sound by itself.
public let kAudioUnitType_Generator = OSType(code: "augn")
/// A unit that changes time or rate.
public let kAudioUnitType_FormatConverter = OSType(code: "aufc")
/// A mixer.
public let kAudioUnitType_Mixer = OSType(code: "aumx")
/// The device.
public let kAudioUnitType_Output = OSType(code: "auou")
/// Apple.
public let kAudioUnitManufacturer_Apple = OSType(code: "appl")

/// A delay: Bulkhead's Delay.
public let kAudioUnitSubType_Delay = OSType(code: "dely")
/// A reverb: Bulkhead's Reverb.
public let kAudioUnitSubType_Reverb2 = OSType(code: "rvb2")
/// A reverb: Bulkhead's Reverb.
public let kAudioUnitSubType_MatrixReverb = OSType(code: "mrev")
/// A distortion: Bulkhead's Distortion.
public let kAudioUnitSubType_Distortion = OSType(code: "dist")
/// An equalizer: Bulkhead's Equalizer.
public let kAudioUnitSubType_NBandEQ = OSType(code: "nbeq")
/// Bulkhead's Varispeed.
public let kAudioUnitSubType_Varispeed = OSType(code: "vari")
/// Bulkhead's Time Pitch.
public let kAudioUnitSubType_NewTimePitch = OSType(code: "nutp")
/// Bulkhead's Time Pitch.
public let kAudioUnitSubType_TimePitch = OSType(code: "tmpt")
/// The time unit of early Apple devices: Bulkhead's Time Pitch.
public let kAudioUnitSubType_AUiPodTimeOther = OSType(code: "ipto")
/// Bulkhead's Sampler.
public let kAudioUnitSubType_Sampler = OSType(code: "samp")
/// Bulkhead's Sampler.
public let kAudioUnitSubType_MIDISynth = OSType(code: "msyn")
/// Bulkhead's Sampler.
public let kAudioUnitSubType_DLSSynth = OSType(code: "dls ")
/// Bulkhead's Voice Processor.
public let kAudioUnitSubType_VoiceProcessingIO = OSType(code: "vpio")
/// A compressor; Bulkhead has none of its own.
public let kAudioUnitSubType_DynamicsProcessor = OSType(code: "dcmp")
/// A limiter; Bulkhead has none of its own.
public let kAudioUnitSubType_PeakLimiter = OSType(code: "lmtr")
/// A high-pass filter; Bulkhead's is a band of the Equalizer.
public let kAudioUnitSubType_HighPassFilter = OSType(code: "hpas")
/// A low-pass filter; Bulkhead's is a band of the Equalizer.
public let kAudioUnitSubType_LowPassFilter = OSType(code: "lpas")

/// The bank of melodic instruments of a General MIDI sound bank.
public let kAUSampler_DefaultMelodicBankMSB = 0x79
/// The bank of percussion of a General MIDI sound bank.
public let kAUSampler_DefaultPercussionBankMSB = 0x78
/// The lower half of a bank number.
public let kAUSampler_DefaultBankLSB = 0

/// The process of a component.
public struct AudioComponentInstantiationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A process of its own, the default here.
    public static let loadOutOfProcess = AudioComponentInstantiationOptions(rawValue: 1)
    /// The program's own process, if both plug-in and user consent.
    public static let loadInProcess = AudioComponentInstantiationOptions(rawValue: 2)

    /// The same options for Bulkhead's own call.
    var native: ComponentInstantiationOptions { contains(.loadInProcess) ? .loadInProcess : [] }
}
