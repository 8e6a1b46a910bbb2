// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arrows between modules that are permitted: they point down, and never across.

/// What each module may import, beside the system's modules.
let permittedImports: [String: Set<String>] = [
    // Protocol
    "Wire": ["CWireLayout", "Realtime"],
    "ControlMessages": ["CWireLayout", "Wire", "LinuxSystem", "AudioUnits", "AudioFormats"],
    "ViewChannel": ["CWireLayout", "Wire", "LinuxSystem", "AudioUnits", "Cells"],
    // Sources
    "LinuxSystem": ["CLinuxShims"],
    "Realtime": ["CRealtimeShims"],
    "DSP": ["Realtime"],
    "AudioUnits": ["AudioFormats"],
    "Printing": [],
    "JSON": [],
    "Cells": [],
    "ViewKit": ["AudioUnits", "Cells", "DSP"],
    "PluginSDK": [
        "AudioFormats", "ControlMessages", "Wire", "CWireLayout", "LinuxSystem", "AudioUnits", "Realtime", "CRealtimeShims",
        "Cells", "ViewChannel", "ViewKit",
    ],
    "PluginExtension": ["PluginSDK"],
    "PluginTesting": ["PluginSDK", "ControlMessages", "Wire", "CWireLayout", "AudioUnits"],
    "RateConversion": ["CSampleRate"],
    "AudioFormats": [],
    "AudioFiles": ["AudioFormats", "CSndFile", "RateConversion", "LinuxSystem"],
    "MIDIFiles": [],
    "OpenSoundControl": ["CLo", "LinuxSystem"],
    "Drawing": ["CCairo"],
    // Host
    "Confinement": ["CConfinementShims", "CLinuxShims", "LinuxSystem"],
    "RTKit": ["CDBus", "LinuxSystem"],
    "Rendering": ["AudioFormats", "DSP", "RateConversion", "RTKit", "Realtime", "CRealtimeShims", "LinuxSystem"],
    "Spatial": ["AudioFormats", "CRealtimeShims", "CSpatialKernels", "DSP", "Realtime", "Rendering"],
    "HeadFiles": ["Confinement", "LinuxSystem", "Printing", "Spatial"],
    "PluginHosting": [
        "AudioFormats", "Confinement", "Rendering", "RTKit", "ControlMessages", "Wire", "CWireLayout", "LinuxSystem",
        "AudioUnits", "Cells", "Realtime", "ViewChannel",
        "CMessageDigest", "Printing", "CLinuxShims",
    ],
    "AudioGraph": [
        "AudioFiles", "CDefaultDriver", "AudioFormats", "CRealtimeShims", "HeadFiles", "MIDIFiles", "PluginHosting",
        "RateConversion", "Rendering", "Spatial",
        "AudioUnits", "LinuxSystem", "Printing", "Realtime",
    ],
    "SoundEvents": [
        "AudioFiles", "AudioFormats", "AudioGraph", "CEbur128", "CRealtimeShims", "DSP", "LinuxSystem", "PluginHosting", "Realtime",
        "Rendering", "Spatial",
    ],
    "GraphDocuments": [
        "AudioGraph", "PluginHosting", "Rendering", "AudioFiles", "AudioUnits", "AudioFormats", "LinuxSystem", "Printing",
    ],
    "PipeWireIO": ["Rendering", "Realtime", "CRealtimeShims", "CPipeWireShims"],
    "AVFAudio": ["AudioGraph", "AudioUnits", "AudioFormats", "LinuxSystem", "PipeWireIO", "PluginHosting", "Realtime"],
    "AVFoundation": ["AVFAudio"],
    "Combine": [],
    "CoreMotion": ["AudioFormats", "AudioGraph", "GraphDocuments", "LinuxSystem", "OpenSoundControl", "Printing", "Spatial"],
    "ModelIO": ["simd"],
    "os": ["Printing"],
    "simd": [],
    "RawHosting": ["ControlMessages", "Wire", "CWireLayout", "AudioUnits", "Cells", "LinuxSystem", "ViewChannel"],
    "Validation": [
        "AudioGraph", "Confinement", "PluginHosting", "RawHosting", "ControlMessages", "Wire", "CWireLayout", "Rendering",
        "AudioFiles", "AudioUnits", "Cells", "Realtime", "LinuxSystem", "Printing", "ViewChannel",
    ],
    "Views": ["AudioUnits", "Cells", "Drawing", "ViewChannel", "ViewKit"],
    "Console": ["LinuxSystem", "Printing"],
    "Control": [
        "AudioGraph", "CZlib", "GraphDocuments", "JSON", "OpenSoundControl", "PluginHosting", "Rendering", "AudioUnits", "Cells",
        "LinuxSystem", "Printing", "ViewChannel",
    ],
    "Screen": ["CTerminalShims", "Cells", "Control", "JSON", "LinuxSystem"],
    "Measuring": [
        "AudioGraph", "Confinement", "Console", "PluginHosting", "Rendering", "Spatial", "AudioFiles", "Drawing", "Realtime",
        "LinuxSystem",
    ],
    "Listening": ["AudioFiles", "CEbur128", "AudioFormats", "Cells", "Console", "DSP", "Drawing", "Realtime"],
    "Demonstration": ["Console", "DSP", "Listening", "PluginHosting", "AudioFiles", "Realtime"],
    "TerminalHost": [
        "AudioGraph", "Confinement", "Console", "Control", "GraphDocuments", "JSON", "Listening", "Measuring", "Demonstration",
        "Screen",
        "Validation", "OpenSoundControl", "PluginHosting", "PipeWireIO", "Cells", "ViewChannel", "Views",
        "AudioFormats", "RateConversion", "Rendering", "RTKit", "AudioFiles", "AudioUnits", "Realtime", "LinuxSystem", "Printing",
    ],
    "bulkhead": ["TerminalHost"],
    // Examples: a few targets, but each folder imports what a program of its own would.
    "Examples": [],
    "AppleExamples": ["AVFAudio", "AVFoundation"],
    "BallGame": ["AudioGraph", "PipeWireIO"],
    "Common": ["AudioGraph", "AudioFiles"],
    "EchoTouch": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "GamingSetup": ["AudioGraph", "PipeWireIO"],
    "HostOneUnit": ["PluginHosting", "AudioFiles"],
    "Karaoke": ["AudioGraph", "PipeWireIO"],
    "MidiFilePlayer": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "OwnNodes": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "MixingBetweenEffects": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "RecordPerformance": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "RotatingBed": ["AudioGraph", "PipeWireIO"],
    "SideChain": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "SignalGenerator": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "SimplePlayEngine": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    "Siren": ["AudioGraph", "PipeWireIO"],
    "StreamingEqualizer": ["AudioGraph", "AudioFiles", "PipeWireIO"],
    // Effects, beside what every plug-in sees
    "VoiceProcessor": ["CSpeexDSP"],
    "Sampler": ["CFluidSynth", "CSndFile"],
    // Bridges, beside what every plug-in sees
    "LADSPA": ["BridgeSupport", "CLADSPA", "CLRDF"],
    "LV2": ["BridgeSupport", "CLilv", "CLV2Shims", "LinuxSystem"],
    // Test plug-ins
    "Painter": ["PluginSDK"],
    "Probe": ["PluginSDK"],
    "Scribe": ["PluginSDK"],
    "Splitter": ["PluginSDK"],
    "Misbehaver": ["PluginSDK", "CFaults"],
    "Offender": ["PluginSDK", "CFaults"],
    "ScriptedBridge": ["PluginSDK", "CFaults"],
]

/// Modules of the system that anybody may import.
let systemModules: Set<String> = ["Swift", "Glibc", "Synchronization", "Dispatch"]

/// Who may import Foundation's essentials: the host's control side, never a plug-in or what it is made of.
let foundationModules: Set<String> = [
    "PluginHosting", "Validation", "PipeWireIO", "Control", "TerminalHost", "AudioFiles", "bulkhead",
]

/// What a module may import.
///
/// A plug-in sees the SDK with its filters, and nothing else; a bridge also what its row says.
func permitted(_ source: SourceFile) -> Set<String> {
    var permitted = permittedImports[source.module] ?? []
    if source.isPlugin { permitted.formUnion(["PluginSDK", "DSP", "ViewKit"]) }
    if foundationModules.contains(source.module) { permitted.insert("FoundationEssentials") }
    // Programs for Apple's systems expect all of Foundation.
    if ["AVFAudio", "Combine", "CoreMotion", "ModelIO"].contains(source.module) { permitted.insert("Foundation") }
    return permitted.union(systemModules)
}
