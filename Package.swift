// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
import Glibc
import PackageDescription

let effects = ["Gain", "Filter", "Delay", "Distortion", "Equalizer", "Reverb", "VoiceProcessor", "Varispeed", "TimePitch"]
let instruments = ["Sampler", "Synth", "Drums"]
/// What an effect or instrument uses beside the SDK.
let effectLibraries: [String: [Target.Dependency]] = [
    "VoiceProcessor": ["CSpeexDSP"], "Sampler": ["CFluidSynth", "CSndFile"],
]
/// Bridges make units of the plug-ins of classic formats, each with the help of what is named here.
let bridges: [(name: String, dependencies: [Target.Dependency])] = [
    ("LADSPA", ["CLADSPA", "CLRDF"]), ("LV2", ["CLilv", "CLV2Shims"]),
]
/// Modules under the names of Apple's systems, in `Host/Apple`; each is a product, so that a program there imports it unchanged.
let appleModules: [(name: String, dependencies: [Target.Dependency], documents: [String])] = [
    (
        "AVFAudio", ["AudioGraph", "AudioUnits", "AudioFormats", "LinuxSystem", "PipeWireIO", "PluginHosting", "Realtime"],
        ["SYMBOLS.md"]
    ),
    ("AVFoundation", ["AVFAudio"], []),
    ("Combine", [], []),
    ("CoreMotion", ["AudioFormats", "AudioGraph", "GraphDocuments", "LinuxSystem", "OpenSoundControl", "Printing", "Spatial"], []),
    ("ModelIO", ["simd"], []),
    ("os", ["Printing"], []),
    ("simd", [], []),
]
/// What a program of this package depends on that imports AVFoundation alone.
///
/// The modules below are named too: a program would not be compiled anew when the layout of their classes changes.
let apple: [Target.Dependency] = ["AVFoundation", "AVFAudio", "AudioGraph"]
/// The further modules that the programs in `Tests/ApplePrograms5` import.
let smallAppleModules: [Target.Dependency] = ["Combine", "CoreMotion", "ModelIO", "os", "simd"]
/// Plug-ins that misbehave on purpose, for tests alone.
///
/// `make` asks for their libraries; no other package ever sees them.
let testPlugins = ["Painter", "Probe", "Scribe", "Splitter", "Misbehaver", "Offender", "ScriptedBridge"]
/// What is linked into a shared library of its own.
let plugins =
    effects + instruments + bridges.map(\.name)
    + (Context.environment["BULKHEAD_TEST_PLUGINS"] == nil ? [] : testPlugins)
/// A plug-in imports PluginSDK alone.
///
/// What that re-exports is named too, because code is inlined from there, and a build would not compile the plug-ins anew when it
/// changes.
let sdk: [Target.Dependency] = [
    "PluginSDK", "PluginExtension", "DSP", "AudioUnits", "Cells", "AudioFormats", "ControlMessages", "LinuxSystem", "Realtime",
    "ViewChannel", "ViewKit", "Wire",
]

/// A plug-in is one shared library with a Swift runtime of its own inside, hidden behind one exported C symbol, so that host and
/// plug-in need not share a compiler.
///
/// A small launcher makes it a process. PluginExtension has these settings, and the package manager applies them to each library
/// that depends on it, in other packages too.
let selfContained: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/exports.map",
        // Where `make` has put the C++ library that the runtime needs, in its static form alone: the shared one's 3,000 symbols
        // would have to be looked up in every process, which takes as long as everything else that loading a plug-in takes.
        "-L\(Context.packageDirectory)/.build/static", "-Xclang-linker", "-static-libgcc",
        // What renders lies together, where functions have sections of their own. gold is the linker that can do that by patterns.
        "-use-ld=gold", "-Xlinker", "--section-ordering-file=\(Context.packageDirectory)/Plugins/render.order",
    ])
]

/// Kernels are optimised in debug builds too: unoptimised, they miss deadlines that they would keep.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "bulkhead",
    products: [
        .executable(name: "bulkhead", targets: ["bulkhead"]),
        // What other packages use: what a plug-in is made of, what a host is made of, and the sound card for the host.
        .library(name: "PluginSDK", targets: ["PluginSDK", "DSP", "ViewKit"]),
        .library(name: "PluginExtension", targets: ["PluginExtension"]),
        .library(name: "PluginTesting", targets: ["PluginTesting"]),
        .library(name: "CExtension", targets: ["CExtension"]),
        .library(name: "PluginHosting", targets: ["PluginHosting", "AudioFiles"]),
        .library(name: "AudioGraph", targets: ["AudioGraph", "AudioFiles", "PipeWireIO"]),
        .library(name: "GraphDocuments", targets: ["GraphDocuments", "AudioGraph", "AudioFiles", "PipeWireIO"]),
        .library(name: "PipeWireIO", targets: ["PipeWireIO", "Rendering"]),
    ] + appleModules.map { .library(name: $0.name, targets: [$0.name]) }
        + plugins.map { .library(name: $0, type: .dynamic, targets: [$0]) },
    targets: [
        // Protocol: what passes between host and plug-in.
        .target(name: "CWireLayout", path: "Protocol/CWireLayout"),
        // For extensions in C, in packages too; nothing here depends on it.
        .target(name: "CExtension", dependencies: ["CWireLayout"], path: "Protocol/CExtension", exclude: ["Example"]),
        .target(name: "Wire", dependencies: ["CWireLayout", "Realtime"], path: "Protocol/Wire"),
        .target(
            name: "ControlMessages", dependencies: ["Wire", "LinuxSystem", "AudioUnits", "AudioFormats"],
            path: "Protocol/ControlMessages"),
        .target(
            name: "ViewChannel", dependencies: ["Wire", "CWireLayout", "LinuxSystem", "AudioUnits", "Cells"],
            path: "Protocol/ViewChannel"),

        // Sources: the ground that both sides stand on.
        .target(name: "CLinuxShims"),
        .target(name: "LinuxSystem", dependencies: ["CLinuxShims"]),
        .target(name: "CConfinementShims"),
        .target(name: "CDefaultDriver"),
        .target(name: "CRealtimeShims", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Realtime", dependencies: ["CRealtimeShims"]),
        .target(name: "DSP", dependencies: ["Realtime"], swiftSettings: optimized),
        .target(name: "AudioUnits", dependencies: ["AudioFormats"]),
        .target(name: "Printing"),
        .target(name: "JSON", swiftSettings: optimized),
        .target(name: "Cells", swiftSettings: optimized),
        .target(name: "ViewKit", dependencies: ["AudioUnits", "Cells", "DSP"], swiftSettings: optimized),
        .target(name: "CTerminalShims", linkerSettings: [.linkedLibrary("tinfo")]),
        .target(
            name: "PluginSDK",
            dependencies: [
                "AudioFormats", "ControlMessages", "Wire", "CWireLayout", "LinuxSystem", "AudioUnits", "Realtime",
                "CRealtimeShims", "Cells", "ViewChannel", "ViewKit",
            ]),
        // What a plug-in's library is linked with, and what its tests render it with.
        .target(name: "PluginExtension", dependencies: ["PluginSDK"], linkerSettings: selfContained),
        .target(
            name: "PluginTesting", dependencies: ["PluginSDK", "ControlMessages", "Wire", "CWireLayout", "AudioUnits"]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"])]),
        .systemLibrary(name: "CFluidSynth", providers: [.apt(["libfluidsynth-dev"])]),
        // PipeWire's pkg-config file carries a flag that SwiftPM warns of, and its API is inline C and
        // macros throughout: the shims include it privately, and Swift sees the shims alone.
        .target(
            name: "CPipeWireShims",
            cSettings: [.unsafeFlags(["-I/usr/include/pipewire-0.3", "-I/usr/include/spa-0.2"])],
            linkerSettings: [.linkedLibrary("pipewire-0.3")]),
        .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
        .systemLibrary(name: "CSerd", pkgConfig: "serd-0", providers: [.apt(["libserd-dev"])]),
        .target(name: "CLV2Shims", dependencies: ["CLilv", "CSerd", "CRealtimeShims"]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .target(name: "Drawing", dependencies: ["CCairo"]),
        .systemLibrary(name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "RateConversion", dependencies: ["CSampleRate"], swiftSettings: optimized),
        .target(name: "AudioFormats"),
        .target(name: "AudioFiles", dependencies: ["AudioFormats", "CSndFile", "RateConversion", "LinuxSystem"]),
        .target(name: "MIDIFiles"),
        .target(name: "OpenSoundControl", dependencies: ["CLo", "LinuxSystem"]),

        .target(name: "CLADSPA", dependencies: ["CRealtimeShims"]),
        // lrdf.h includes raptor's header, which is in a folder of its own; the library is loaded when it is wanted.
        .target(name: "CLRDF", cSettings: [.unsafeFlags(["-I/usr/include/raptor2"])]),

        // Host: one side of the boundary.
        .target(
            name: "Confinement", dependencies: ["CConfinementShims", "CLinuxShims", "LinuxSystem"], path: "Host/Confinement",
            exclude: ["README.md"]),
        .target(name: "RTKit", dependencies: ["CDBus", "LinuxSystem"], path: "Host/RTKit"),
        .target(
            name: "Rendering",
            dependencies: ["AudioFormats", "DSP", "RateConversion", "RTKit", "Realtime", "CRealtimeShims", "LinuxSystem"],
            path: "Host/Rendering"),
        // Built for two kinds of processors by attributes in its source, so it needs no flag but the optimisation.
        .target(name: "CSpatialKernels", cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "Spatial", dependencies: ["AudioFormats", "CRealtimeShims", "CSpatialKernels", "DSP", "Realtime", "Rendering"],
            path: "Host/Spatial", exclude: ["MEASUREMENTS.md"], swiftSettings: optimized),
        .target(
            name: "HeadFiles", dependencies: ["Confinement", "LinuxSystem", "Printing", "Spatial"], path: "Host/HeadFiles"),
        .target(
            name: "PluginHosting",
            dependencies: [
                "AudioFormats", "Confinement", "Rendering", "RTKit", "ControlMessages", "Wire", "CWireLayout", "LinuxSystem",
                "AudioUnits", "Cells", "ViewChannel",
                "Realtime", "CMessageDigest", "Printing", "CLinuxShims",
            ],
            path: "Host/PluginHosting"),
        .target(
            name: "PipeWireIO", dependencies: ["Rendering", "Realtime", "CRealtimeShims", "CPipeWireShims"],
            path: "Host/PipeWireIO", exclude: ["README.md"]),
        // Speaks the protocol to one unit without an engine: for `validate` and for tests.
        .target(
            name: "RawHosting",
            dependencies: ["ControlMessages", "Wire", "CWireLayout", "LinuxSystem", "AudioUnits", "Cells", "ViewChannel"],
            path: "Host/RawHosting"),
        .target(
            name: "Validation",
            dependencies: [
                "AudioGraph", "Confinement", "PluginHosting", "RawHosting", "ControlMessages", "Wire", "CWireLayout", "Rendering",
                "AudioFiles", "AudioUnits", "LinuxSystem", "Printing", "Realtime", "Cells", "ViewChannel",
            ],
            path: "Host/Validation",
            exclude: ["RenderWatch"], swiftSettings: optimized),
        .target(
            name: "AudioGraph",
            dependencies: [
                "AudioFiles", "CDefaultDriver", "AudioFormats", "CRealtimeShims", "HeadFiles", "MIDIFiles", "PluginHosting",
                "RateConversion", "Rendering", "Spatial",
                "AudioUnits", "LinuxSystem", "Printing", "Realtime",
            ],
            path: "Host/AudioGraph"),
        .target(
            name: "SoundEvents",
            dependencies: [
                "AudioFiles", "AudioFormats", "AudioGraph", "CEbur128", "CRealtimeShims", "DSP", "LinuxSystem", "PluginHosting",
                "Realtime", "Rendering", "Spatial",
            ],
            path: "Host/SoundEvents", swiftSettings: optimized),
        .target(
            name: "GraphDocuments",
            dependencies: [
                "AudioGraph", "PluginHosting", "Rendering", "AudioFiles", "AudioUnits", "AudioFormats", "LinuxSystem", "Printing",
            ],
            path: "Host/GraphDocuments", exclude: ["README.md"]),
        .target(name: "Console", dependencies: ["LinuxSystem", "Printing"], path: "Host/Console"),
        .target(
            name: "Measuring",
            dependencies: [
                "AudioGraph", "Confinement", "Console", "PluginHosting", "Rendering", "Spatial", "AudioFiles", "Drawing",
                "LinuxSystem", "Realtime",
            ],
            path: "Host/Measuring"),
        .target(
            name: "Listening",
            dependencies: ["AudioFiles", "CEbur128", "AudioFormats", "Cells", "Console", "DSP", "Drawing", "Realtime"],
            path: "Host/Listening", swiftSettings: optimized),
        .target(
            name: "Demonstration", dependencies: ["Console", "DSP", "Listening", "PluginHosting", "AudioFiles", "Realtime"],
            path: "Host/Demonstration"),
        .target(
            name: "Control",
            dependencies: [
                "AudioGraph", "GraphDocuments", "JSON", "OpenSoundControl", "PluginHosting", "Rendering", "AudioUnits",
                "LinuxSystem", "Printing", "Cells", "CZlib", "ViewChannel",
            ],
            path: "Host/Control", exclude: ["MAPPING.md", "README.md"]),
        .target(
            name: "Screen", dependencies: ["CTerminalShims", "Cells", "Control", "JSON", "LinuxSystem"], path: "Host/Screen",
            swiftSettings: optimized),
        .target(
            name: "TerminalHost",
            dependencies: [
                "AudioGraph", "Confinement", "Console", "Control", "GraphDocuments", "JSON", "Listening", "Measuring",
                "Demonstration", "Screen", "Validation",
                "OpenSoundControl", "PluginHosting", "PipeWireIO",
                "AudioFormats", "RateConversion", "Rendering", "RTKit", "AudioFiles", "AudioUnits", "LinuxSystem", "Printing",
                "Realtime", "Cells", "ViewChannel", "Views",
            ],
            path: "Host/TerminalHost"),
        .target(
            name: "Views", dependencies: ["AudioUnits", "Cells", "Drawing", "ViewChannel", "ViewKit"], path: "Host/Views"),
        // Programs to copy from, each in a folder of its own; those that import AVFoundation see other members.
        .executableTarget(
            name: "Examples", dependencies: ["AudioGraph", "AudioFiles", "PipeWireIO", "PluginHosting"], path: "Host/Examples",
            exclude: ["AppleExamples", "README.md", "TwoPlayers.json"], swiftSettings: optimized),
        .executableTarget(
            name: "AppleExamples", dependencies: apple, path: "Host/Examples/AppleExamples"),
        .executableTarget(
            name: "bulkhead", dependencies: ["TerminalHost"], path: "Host/bulkhead",
            linkerSettings: [
                // What is installed needs no Swift toolchain. lld, because the other linkers warn of Foundation's own code.
                .unsafeFlags(
                    ["-static-stdlib", "-use-ld=lld", "-l_FoundationCollections", "-l_FoundationCShims"],
                    .when(configuration: .release))
            ]),

        .target(name: "BridgeSupport", dependencies: sdk, path: "Plugins/Bridges/BridgeSupport", swiftSettings: optimized),

        // Tests mirror the targets.
        // Tests that compute for seconds are optimised, and so is what they compute with.
        .target(
            name: "TestSupport",
            dependencies: ["Confinement", "LinuxSystem", "ControlMessages", "Wire", "CWireLayout", "AudioUnits"],
            path: "Tests/TestSupport", swiftSettings: optimized),
        .target(
            name: "RenderingTestSupport", dependencies: ["Realtime", "Rendering"], path: "Tests/RenderingTestSupport",
            swiftSettings: optimized),
        .target(
            name: "HostingTestSupport",
            dependencies: [
                "AudioGraph", "MIDIFiles", "RenderingTestSupport", "TestSupport", "PluginHosting", "Rendering", "AudioUnits",
                "LinuxSystem", "Realtime", "CRealtimeShims",
            ],
            path: "Tests/HostingTestSupport", swiftSettings: optimized),
        .testTarget(name: "WireTests", dependencies: ["Wire", "CWireLayout", "LinuxSystem", "TestSupport"]),
        .testTarget(
            name: "ControlMessagesTests",
            dependencies: ["ControlMessages", "Wire", "LinuxSystem", "CLinuxShims", "AudioUnits", "TestSupport"]),
        .testTarget(name: "AudioUnitsTests", dependencies: ["AudioUnits"]),
        .testTarget(name: "CellsTests", dependencies: ["Cells", "ViewKit"]),
        .testTarget(
            name: "ViewChannelTests",
            dependencies: ["ViewChannel", "Cells", "CWireLayout", "Wire", "LinuxSystem", "AudioUnits", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON"]),
        .testTarget(name: "PrintingTests", dependencies: ["Printing", "TestSupport"]),
        .testTarget(
            name: "LinuxSystemTests",
            dependencies: ["LinuxSystem", "CLinuxShims", "Confinement", "TestSupport", "TestChildProcess"]),
        .testTarget(
            name: "ConfinementTests",
            dependencies: [
                "Confinement", "CConfinementShims", "CLinuxShims", "PluginHosting", "LinuxSystem", "TestSupport",
                "TestChildProcess",
            ]),
        .executableTarget(name: "TestChildProcess", dependencies: ["LinuxSystem"], path: "Tests/TestChildProcess"),
        .testTarget(
            name: "CExtensionTests",
            dependencies: [
                "Confinement", "ControlMessages", "HostingTestSupport", "TestSupport", "PluginHosting", "RawHosting", "AudioUnits",
                "LinuxSystem", "Wire", "CWireLayout", "Cells", "ViewChannel",
            ]),
        .testTarget(name: "RealtimeTests", dependencies: ["Realtime"]),
        .testTarget(
            name: "PluginHostingTests",
            dependencies: [
                "CWireLayout",
                "HostingTestSupport", "RenderingTestSupport", "TestSupport",
                "Confinement", "PluginHosting", "Rendering", "RTKit", "ControlMessages", "Wire", "LinuxSystem", "AudioUnits",
                "Printing", "Realtime",
                "CRealtimeShims", "Cells", "ViewChannel",
            ]),
        .testTarget(
            name: "AudioGraphTests",
            dependencies: [
                "AudioFiles", "AudioGraph", "GraphDocuments", "HostingTestSupport", "MIDIFiles", "TestSupport", "PluginHosting",
                "Rendering", "LinuxSystem", "Realtime", "Spatial",
            ]),
        .testTarget(
            name: "GraphDocumentsTests",
            dependencies: [
                "AudioGraph", "GraphDocuments", "HostingTestSupport", "MIDIFiles", "TestSupport", "PluginHosting", "Rendering",
                "Realtime",
            ]),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "AudioGraph", "Control", "GraphDocuments", "HostingTestSupport", "JSON", "OpenSoundControl", "TestSupport",
                "PluginHosting", "Rendering", "LinuxSystem", "TestChildProcess",
            ]),
        .testTarget(
            name: "ScreenTests", dependencies: ["Cells", "Control", "JSON", "Screen", "TestSupport"], exclude: ["Captures"]),
        .testTarget(name: "AVFAudioTests", dependencies: ["AVFoundation", "AudioFiles", "PipeWireIO", "TestSupport"]),
        .testTarget(name: "CombineTests", dependencies: ["Combine"]),
        .testTarget(
            name: "CoreMotionTests", dependencies: ["CoreMotion", "OpenSoundControl", "Spatial", "TestSupport"]),
        .testTarget(name: "ModelIOTests", dependencies: ["ModelIO"]),
        .testTarget(name: "osTests", dependencies: ["os"]),
        .testTarget(name: "simdTests", dependencies: ["simd", "TestSupport"]),
        // Programs as they are written for Apple's systems, in both language modes; the second folder is a link to the first one.
        .executableTarget(
            name: "ApplePrograms5", dependencies: apple + smallAppleModules, path: "Tests/ApplePrograms5",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "ApplePrograms6", dependencies: apple + smallAppleModules, path: "Tests/ApplePrograms6",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "RenderingTests",
            dependencies: ["AudioFormats", "RenderingTestSupport", "Rendering", "LinuxSystem", "Realtime", "TestSupport"]),
        .testTarget(
            name: "SpatialTests",
            dependencies: [
                "AudioFormats", "CSpatialKernels", "RenderingTestSupport", "Rendering", "Realtime", "Spatial", "TestSupport",
            ],
            swiftSettings: optimized),
        .testTarget(
            name: "SoundEventsTests",
            dependencies: [
                "AudioFiles", "AudioFormats", "AudioGraph", "HostingTestSupport", "LinuxSystem", "Realtime", "SoundEvents",
                "Spatial",
                "TestSupport",
            ]),
        .testTarget(name: "HeadFilesTests", dependencies: ["HeadFiles", "LinuxSystem", "Spatial", "TestSupport"]),
        .testTarget(
            name: "PluginSDKTests",
            dependencies: [
                "AudioUnits", "Realtime", "PluginSDK", "PluginTesting", "ControlMessages", "Wire", "LinuxSystem", "RawHosting",
                "TestSupport",
            ]),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(
            name: "BridgesTests",
            dependencies: [
                "Confinement", "HostingTestSupport", "TestSupport", "PluginHosting", "CLV2Shims", "ControlMessages", "AudioUnits",
                "LinuxSystem",
                "AudioFiles",
            ]),
        .target(name: "CFaults", path: "Tests/TestPlugins/CFaults"),
        .testTarget(
            name: "PipeWireIOTests", dependencies: ["CPipeWireShims", "PipeWireIO", "Rendering", "Realtime", "TestSupport"]),
        .testTarget(name: "DrawingTests", dependencies: ["Drawing", "CCairo"]),
        .testTarget(name: "MIDIFilesTests", dependencies: ["MIDIFiles"], swiftSettings: optimized),
        .testTarget(name: "AudioFilesTests", dependencies: ["AudioFiles", "AudioFormats", "RateConversion", "TestSupport"]),
        .testTarget(
            name: "EffectsTests", dependencies: ["HostingTestSupport", "TestSupport", "PluginHosting", "AudioUnits"],
            swiftSettings: optimized),
        // Runs the command that is built beside it.
        .testTarget(
            name: "ValidationTests",
            dependencies: ["Validation", "PluginHosting", "ControlMessages", "AudioUnits", "LinuxSystem", "TestSupport"]),
        // Faults for minutes: `make storm`.
        .executableTarget(
            name: "Storm",
            dependencies: [
                "AudioGraph", "HostingTestSupport", "TestSupport", "PluginHosting", "PipeWireIO", "Rendering", "AudioUnits",
                "LinuxSystem", "Realtime",
            ],
            path: "Tests/Storm", swiftSettings: optimized),
        // What Bulkhead is compared with, and the comparison: `make bench`.
        .target(
            name: "CPipeWireFilter", path: "Tests/CPipeWireFilter",
            cSettings: [.unsafeFlags(["-O2", "-I/usr/include/pipewire-0.3", "-I/usr/include/spa-0.2"])],
            linkerSettings: [.linkedLibrary("pipewire-0.3")]),
        .target(name: "BenchmarkSupport", path: "Tests/BenchmarkSupport"),
        .executableTarget(
            name: "PipeWireChain",
            dependencies: ["CPipeWireFilter", "BenchmarkSupport", "PipeWireIO", "Confinement", "LinuxSystem"],
            path: "Tests/PipeWireChain"),
        .executableTarget(name: "Benchmarks", dependencies: ["BenchmarkSupport", "AudioFiles"], path: "Tests/Benchmarks"),
        // Runs what is built beside it.
        .testTarget(name: "BenchmarkSupportTests", dependencies: ["BenchmarkSupport", "TestSupport"]),
        .testTarget(
            name: "TerminalHostTests", dependencies: ["TerminalHost", "Console", "Control", "JSON", "Measuring", "PluginHosting"]),
        // Runs the command that is built beside it.
        .testTarget(
            name: "MeasuringTests", dependencies: ["Measuring", "Console", "Drawing", "PluginHosting", "Rendering", "LinuxSystem"]),
        .testTarget(
            name: "ListeningTests",
            dependencies: [
                "Listening", "AudioFiles", "AudioFormats", "DSP", "Demonstration", "Drawing", "Realtime", "TestSupport",
            ],
            swiftSettings: optimized),
        .testTarget(name: "DemonstrationTests", dependencies: ["Demonstration", "AudioFiles", "Realtime"]),
        // Runs the command that is built beside it.
        .testTarget(name: "NewPackageTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CPipeWireShims", "PipeWireIO", "AudioFiles", "AudioFormats", "DSP", "HostingTestSupport", "LinuxSystem",
                "Rendering",
                "TestSupport",
            ]),
    ]
        + appleModules.map {
            .target(
                name: $0.name, dependencies: $0.dependencies, path: "Host/Apple/\($0.name)", exclude: $0.documents)
        }
        // Plugins: the other side.
        + (effects + instruments).map {
            .target(
                name: $0, dependencies: sdk + (effectLibraries[$0] ?? []), path: "Plugins/\($0)", swiftSettings: optimized)
        }
        + bridges.map { bridge in
            .target(
                name: bridge.name, dependencies: sdk + ["BridgeSupport"] + bridge.dependencies,
                path: "Plugins/Bridges/\(bridge.name)",
                swiftSettings: optimized)
        }
        + testPlugins.map {
            .target(
                name: $0, dependencies: sdk + ["CFaults"], path: "Tests/TestPlugins/\($0)")
        }
)

// For `.ci/sanitizers`: host and tests alone. Plug-ins are other processes, and libraries with a runtime of their own, which
// no sanitizer of the host's sees; ThreadSanitizer even breaks the compiler on one. Their bundles come from the plain build.
if Context.environment["BULKHEAD_HOST_ONLY"] != nil {
    let sdk = ["PluginSDK", "PluginExtension", "PluginTesting"]
    let plugins = Set(
        effects + instruments + bridges.map(\.name) + testPlugins + sdk + [
            "BridgeSupport", "CFaults", "CLADSPA", "CLRDF",
        ])
    package.targets.removeAll { plugins.contains($0.name) || $0.name == "PluginSDKTests" }
    package.products.removeAll { plugins.contains($0.name) }
}

// The sources that `make install` puts beside the command, for other packages to depend on, are without tests.
if access("\(Context.packageDirectory)/Tests", F_OK) != 0 {
    let tests = Set(package.targets.filter { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }.map(\.name))
    package.targets.removeAll { tests.contains($0.name) }
    package.products.removeAll { tests.contains($0.name) }
}

/// The words of a variable of the environment.
func words(_ variable: String) -> [String] { (Context.environment[variable] ?? "").split(separator: " ").map(String.init) }

// These targets and what they need, alone: `make build` names the command and the plug-ins, and a taste of ThreadSanitizer the tests of
// some modules.
var wanted = words("BULKHEAD_TARGETS") + words("BULKHEAD_ONLY").map { "\($0)Tests" }
if !wanted.isEmpty {
    var kept: Set<String> = []
    while let name = wanted.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let name, _) in target.dependencies { wanted.append(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { !kept.contains($0.name) || !plugins.contains($0.name) }
}

// A debug build has no warnings: `make check` and `make test` share it, so that a warning is seen whichever of them compiles.
// In release, and in the installed sources, a newer compiler may warn of something, and a stranger's build goes on.
for target in package.targets where target.type != .system && access("\(Context.packageDirectory)/Tests", F_OK) == 0 {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error, .when(configuration: .debug))]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error, .when(configuration: .debug))]
}
