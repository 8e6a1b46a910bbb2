// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in from its bundle, checked. Control thread.

import CLilv
import PluginSDK

/// A plug-in that can become a unit.
final class Plugin {
    let world: World
    /// lilv's own view of the plug-in; it lives as long as the world.
    let pointer: OpaquePointer
    let node: Node
    let uri: String
    let name: String
    let author: String
    let version: UnitVersion
    /// Its classes and their parent classes, by their LV2 names.
    let classes: [String]
    let ports: [Port]
    /// The properties that it takes as messages.
    let properties: [PatchProperty]
    let requiredFeatures: Set<String>
    let optionalFeatures: Set<String>
    /// True if it declares that it draws a picture of itself.
    let hasDisplay: Bool

    init(_ pointer: OpaquePointer, in world: World) throws(UnitError) {
        guard let copy = lilv_node_duplicate(lilv_plugin_get_uri(pointer)) else { throw .failed("it has no URI") }
        self.world = world
        self.pointer = pointer
        let node = Node(copy, world)
        self.node = node
        uri = node.text
        name = Self.text(lilv_plugin_get_name(pointer), in: world) ?? uri
        author = Self.text(lilv_plugin_get_author_name(pointer), in: world) ?? "unknown"
        version = Self.version(node, world)
        classes = PluginClass.hierarchy(of: world.values(node, Names.type).map(\.text))
        requiredFeatures = Set(world.values(node, Names.core + "requiredFeature").map(\.text))
        optionalFeatures = Set(world.values(node, Names.core + "optionalFeature").map(\.text))
        hasDisplay = world.values(node, Names.core + "extensionData").contains { $0.text == Names.inlineDisplay + "interface" }
        try Self.check(requiredFeatures)
        try Self.checkOptions(Set(world.values(node, Names.options + "requiredOption").map(\.text)))
        guard world.values(node, Names.core + "binary").count <= 1 else {
            throw .failed("two plug-ins have this URI")
        }
        ports = try Port.ports(of: node, in: world)
        properties = PatchProperty.properties(of: node, in: world)
        for direction in [true, false] {
            let count = ports.count { $0.isInput == direction && $0.kind == .audio }
            guard count <= Self.maximumAudioCount else {
                throw .failed("it has \(count) audio ports one way; \(Self.maximumAudioCount) are the most")
            }
        }
    }

    /// More audio ports in one direction than any plug-in has.
    ///
    /// Ports beyond the channels of a bus stay silent or unheard.
    private static let maximumAudioCount = 1024

    private static func text(_ owned: OpaquePointer?, in world: World) -> String? {
        guard let owned else { return nil }
        let text = Node(owned, world).text
        return text.isEmpty ? nil : text
    }

    /// The version's two numbers; a plug-in's major version is part of its URI.
    private static func version(_ node: Node, _ world: World) -> UnitVersion {
        func number(_ name: String, most: Double) -> UInt32 {
            UInt32(min(max(world.value(node, Names.core + name)?.number ?? 0, 0), most))
        }
        return UnitVersion(number("minorVersion", most: 4095), number("microVersion", most: 1023), 0)
    }

    private static func check(_ required: Set<String>) throws(UnitError) {
        guard let feature = required.subtracting(Features.offered).sorted().first else { return }
        throw .failed("it requires the feature \(feature), which Bulkhead does not offer")
    }

    private static func checkOptions(_ required: Set<String>) throws(UnitError) {
        guard let option = required.subtracting(Options.offered).sorted().first else { return }
        throw .failed("it requires the option \(option), which Bulkhead does not offer")
    }

    /// The library's file; nil if the bundle names none.
    var libraryPath: String? {
        lilv_plugin_get_library_uri(pointer).flatMap(lilv_node_duplicate).flatMap { Node($0, world).path }
    }

    /// The ports of one kind, in the order of their indices.
    func ports(_ kind: Port.Kind, isInput: Bool) -> [Port] { ports.filter { $0.kind == kind && $0.isInput == isInput } }

    /// Audio inputs, without those of the side chain.
    var mainInputs: [Port] { ports(.audio, isInput: true).filter { !isSideChain($0) } }
    var sideInputs: [Port] { ports(.audio, isInput: true).filter(isSideChain) }

    /// True if a port is marked as a side chain, or is the carrier of a vocoder with one voice and one output.
    ///
    /// Such vocoders lack the mark. If both inputs were left and right, the right channel would be lost.
    private func isSideChain(_ port: Port) -> Bool {
        port.isSideChain
            || port.symbol.lowercased() == "carrier" && ports(.audio, isInput: true).count == 2
                && ports(.audio, isInput: false).count == 1
    }

    /// Plug-ins that convolve blocks of the announced length, pass all other blocks unchanged, and do not declare that.
    private static let quietlyFixed: Set = ["urn:zamaudio:ZamHeadX2", "urn:zamaudio:ZamVerb"]

    /// True if all blocks must have the same length.
    var requiresFixedBlocks: Bool {
        Self.quietlyFixed.contains(uri)
            || ["fixedBlockLength", "powerOf2BlockLength", "coarseBlockLength"].contains {
                requiredFeatures.contains(Names.bufSize + $0)
            }
    }

    var loadsDefaultState: Bool {
        requiredFeatures.union(optionalFeatures).contains(Names.state + "loadDefaultState")
    }

    var restoresWhileRunning: Bool {
        requiredFeatures.union(optionalFeatures).contains(Names.state + "threadSafeRestore")
    }

    func takes(_ type: String, isInput: Bool) -> Bool {
        ports(.atom, isInput: isInput).contains { $0.supported.contains(type) }
    }
}
