// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rules of the architecture, read from the sources. Each has a control that breaks it.

import Testing

@Suite struct ArchitectureTests {
    private let sources = SourceFile.all()

    private func fake(_ path: String, _ text: String) -> SourceFile { SourceFile(path: path, text: text) }

    @Test func theSourcesAreFound() {
        let modules = Set(sources.map(\.module))
        #expect(modules.isSuperset(of: ["PluginSDK", "PluginHosting", "Rendering", "Wire", "bulkhead", "Gain", "Probe"]))
        #expect(sources.count > 150)
    }

    @Test func noArrowPointsUpOrAcross() {
        for source in sources where !source.isTest {
            let isKnown = source.isPlugin || permittedImports[source.module] != nil
            #expect(isKnown, "\(source.path) belongs to a module without a row in PermittedImports.swift")
            #expect(source.forbiddenImports.isEmpty, "\(source.path)")
        }
    }

    @Test func anArrowThatPointsUpOrAcrossIsCaught() {
        #expect(fake("Sources/PluginSDK/Bad.swift", "import PluginHosting\n").forbiddenImports == ["PluginHosting"])
        #expect(fake("Host/PluginHosting/Bad.swift", "@testable import PluginSDK").forbiddenImports == ["PluginSDK"])
        #expect(fake("Plugins/Gain/Bad.swift", "import struct Wire.Region").forbiddenImports == ["Wire"])
        #expect(fake("Plugins/Gain/Bad.swift", "import FoundationEssentials").forbiddenImports == ["FoundationEssentials"])
        #expect(fake("Plugins/Bridges/LV2/Bad.swift", "import CLilv\nimport Wire").forbiddenImports == ["Wire"])
        #expect(fake("Host/Rendering/Bad.swift", "public import Wire").forbiddenImports == ["Wire"])
        #expect(fake("Host/Rendering/Good.swift", "// import Wire\nimport Realtime").forbiddenImports.isEmpty)
    }

    /// A program that imports the engine gets the names that it needs, and no others that it may have itself.
    @Test func theEngineReExportsNamesAndNotModules() {
        // Formats are all vocabulary.
        #expect(sources.filter { $0.module == "AudioGraph" }.flatMap(\.wholeExports) == ["AudioFormats"])
        let text =
            "@_exported import Realtime\n@_exported public import Wire\n@_exported import struct AudioUnits.Bus\nimport DSP\n"
        #expect(fake("Host/AudioGraph/Bad.swift", text).wholeExports == ["Realtime", "Wire"])
    }

    @Test func theTableHasNoCycle() {
        func reaches(_ module: String, _ wanted: String) -> Bool {
            (permittedImports[module] ?? []).contains { $0 == wanted || reaches($0, wanted) }
        }
        for module in permittedImports.keys { #expect(!reaches(module, module), "\(module)") }
        #expect(!reaches("PluginSDK", "PluginHosting") && !reaches("PluginHosting", "PluginSDK"))
    }

    /// Modules in a table of imports, in its rows and behind them, that no source file belongs to; C modules aside.
    private func unknownModules(_ table: [String: Set<String>]) -> [String] {
        let known = Set(sources.map(\.module))
        let named = table.reduce(into: Set(table.keys)) { $0.formUnion($1.value) }
        return named.subtracting(known).filter { !$0.hasPrefix("C") }.sorted()
    }

    @Test func everyModuleOfTheTableExists() {
        #expect(unknownModules(permittedImports).isEmpty)
        #expect(unknownModules(foundationModules.reduce(into: [:]) { $0[$1] = [] }).isEmpty)
        #expect(unknownModules(["Wire": ["Realtime", "Nowhere"], "Missing": []]) == ["Missing", "Nowhere"])
    }

    @Test func theSDKAndTheHostNeverSeeEachOther() {
        for source in sources where !source.isTest {
            if source.imports.contains("PluginSDK") {
                let isOfSDK = ["PluginExtension", "PluginTesting"].contains(source.module)
                #expect(source.isPlugin || isOfSDK || source.path.hasPrefix("Tests/TestPlugins/"), "\(source.path)")
            }
        }
    }

    @Test func onlyModulesWhoseNamesBeginWithCHoldCSources() {
        // What is loaded without Swift is no module at all.
        let programs = [
            "Plugins/Launcher/", "Host/HeadReader/", "Host/Keeper/", "Host/Validation/RenderWatch/", "Host/Window/",
            "Tests/BreakOut/",
        ]
        for source in SourceFile.all(["c", "cpp", "cc"]) where !programs.contains(where: source.path.hasPrefix) {
            #expect(source.module.hasPrefix("C"), "\(source.path)")
        }
    }

    @Test func everyFileStatesItsLicence() {
        for source in SourceFile.all(["swift", "c", "h"], includingPackages: true) {
            #expect(source.hasLicenceHeader, "\(source.path)")
        }
        #expect(!fake("Sources/Wire/Bad.swift", "import Realtime\n\n\n").hasLicenceHeader)
    }

    @Test func everyPromiseToTheCompilerSaysWhyItHolds() {
        for source in sources { #expect(source.unexplainedPromises.isEmpty) }
        let bad = "final class Bad: @unchecked Sendable {\n    var count = 0\n}\n"
        #expect(fake("Sources/Wire/Bad.swift", bad).unexplainedPromises == ["Sources/Wire/Bad.swift:1"])
        let good = "// SAFETY: never changes.\nnonisolated(unsafe) let pointer = base\n"
        #expect(fake("Sources/Wire/Good.swift", good).unexplainedPromises.isEmpty)
    }

    @Test func everyKernelIsCheckedByTheCompiler() {
        for source in SourceFile.all(includingPackages: true)
        where source.isPlugin || source.path.hasPrefix("Tests/TestPlugins/") {
            #expect(source.uncheckedRenderFunctions.isEmpty)
        }
        let bad = "    mutating func render(_ block: RenderBlock) {\n"
        #expect(fake("Plugins/Gain/Bad.swift", bad).uncheckedRenderFunctions == ["Plugins/Gain/Bad.swift:1"])
        let good = "    @_noLocks\n    mutating func reset() {\n    @_noLocks mutating func apply(_ c: C) {\n"
        #expect(fake("Plugins/Gain/Good.swift", good).uncheckedRenderFunctions.isEmpty)
    }

    /// The mark on a protocol's requirement does not reach the function that fulfils it.
    @Test func everyProcessorIsCheckedByTheCompiler() {
        let files = SourceFile.all(includingPackages: true).filter { $0.module != "ArchitectureTests" }
        #expect(files.contains { $0.renderWitnesses.count > 1 })
        for source in files { #expect(source.uncheckedRenderWitnesses.isEmpty) }
        let bad = """
            private struct Bad: AudioProcessor, ~Copyable {
                var latencyFrameCount: Int { 3 }
                mutating func render(_ block: AudioProcessorBlock) {
                }
                mutating func reset(_ values: AudioProcessorValues) {}
            }
            struct Other { func render(_ block: Block) {} }
            """
        #expect(fake("Host/Examples/A/B.swift", bad).uncheckedRenderWitnesses == [2, 3, 5].map { "Host/Examples/A/B.swift:\($0)" })
        let good = """
            struct Good: AudioGenerator & Sendable {
                @_noLocks mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool { false }
                var latencyFrameCount: Int { @_noLocks get { 3 } }
                private(set) var latencyFrameCount = 0
            }
            final class Box<P: AudioProcessor & ~Copyable>: Base {
                override func render(_ block: AudioProcessorBlock) {}
            }
            """
        #expect(fake("Host/Examples/A/B.swift", good).uncheckedRenderWitnesses.isEmpty)
    }
}
