// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The unit behind a node by the name of Apple's systems: its description and its resources. Any thread but the render thread.

import AudioGraph
import Foundation
import PluginHosting
import Synchronization

/// The plug-in behind a node, or one that a program starts for its parameters, presets and state.
///
/// A node without a plug-in, such as a mixer, also has a unit: all of it is empty, and new values are forgotten. Sound goes
/// through nodes: there is no render block here.
public final class AUAudioUnit: NSObject, Sendable {
    /// The plug-in; nil if there is none, or if it could not be started.
    let plugin: PluginUnit?
    /// The parameters, always as the same objects.
    let tree: AUParameterTree?
    let state = Mutex(State())

    struct State: Sendable {
        // SAFETY: a weak reference is read and written with the lock held.
        nonisolated(unsafe) weak var node: AudioNode?
        var preset: (number: Int, name: String)?
    }

    /// Makes the unit behind a node.
    init(_ node: AudioNode) {
        plugin = (node as? AudioUnit)?.plugin
        tree = plugin.map(AUParameterTree.init)
        super.init()
        state.withLock { $0.node = node }
    }

    /// Starts the plug-in of a description; the call waits some milliseconds.
    public init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        let id = componentDescription.native.description
        let component = try HostConfiguration.current.installation.registry(wanting: [id]).component(named: id)
        let unit = PluginUnit(try HostedUnit(component, inProcess: options.contains(.loadInProcess)))
        (plugin, tree) = (unit, AUParameterTree(unit))
        super.init()
    }

    /// Starts the plug-in of a description, and passes it on when it has started.
    public static func instantiate(
        with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AUAudioUnit?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            do {
                completionHandler(try AUAudioUnit(componentDescription: componentDescription, options: options), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    var node: AudioNode? { state.withLock { $0.node } }

    // MARK: Description

    /// The codes of the plug-in.
    public var componentDescription: AudioComponentDescription {
        plugin.map { AudioComponentDescription($0.component.description) } ?? AudioComponentDescription()
    }
    /// The manufacturer and the name, with a colon; nil without a plug-in.
    public var componentName: String? { plugin.map { "\($0.component.manufacturerName): \($0.component.name)" } }
    /// The name; nil without a plug-in.
    public var audioUnitName: String? { plugin?.component.name }
    /// The manufacturer; nil without a plug-in.
    public var manufacturerName: String? { plugin?.component.manufacturerName }
    /// The version as a number; 0 without a plug-in.
    public var componentVersion: UInt32 { plugin?.component.version.rawValue ?? 0 }
    /// True if the unit takes MIDI.
    public var isMusicDeviceOrEffect: Bool { plugin?.unitDescription.flags.contains(.midiInput) ?? false }
    /// The parameters; nil without a plug-in.
    public var parameterTree: AUParameterTree? { tree }
    /// The latency in seconds; 0 for a unit without a node.
    public var latency: TimeInterval { node?.latency ?? 0 }

    // MARK: Actions

    /// True if the input passes through unchanged; a change is faded.
    public var shouldBypassEffect: Bool {
        get { (node as? AudioUnit)?.bypass ?? plugin?.shouldBypassEffect ?? false }
        set {
            if let unit = node as? AudioUnit { unit.bypass = newValue } else { plugin?.shouldBypassEffect = newValue }
        }
    }

    /// The most frames of a block; a change takes effect at the next `allocateRenderResources()`.
    ///
    /// An engine sets it for the units that it plays. Without a plug-in it is the longest cycle of the node's engine, and a new
    /// value changes nothing.
    public var maximumFramesToRender: AUAudioFrameCount {
        get { AUAudioFrameCount(clamping: plugin?.maximumFramesToRender ?? longestCycle) }
        set { plugin?.maximumFramesToRender = Int(newValue) }
    }

    private var longestCycle: Int {
        guard let engine = node?.engine, engine.isInManualRenderingMode else { return AudioEngine.longestCycle }
        return engine.longestManualRendering
    }

    /// True if the unit has render resources.
    public var renderResourcesAllocated: Bool { plugin?.renderResourcesAllocated ?? false }

    /// Allocates render resources.
    ///
    /// An engine does this for the units that it plays. For such a unit, and without a plug-in, the call throws.
    public func allocateRenderResources() throws {
        guard let plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.allocateRenderResources()
    }

    /// Frees render resources; a unit that an engine plays keeps them.
    public func deallocateRenderResources() { plugin?.deallocateRenderResources() }

    /// Forgets all sound.
    public func reset() {
        if let node { return node.reset() }
        do throws(HostingError) { try plugin?.reset() } catch { AVFAudioLog.write("\(error)") }
    }
}

/// The reason why a request to a unit failed.
public enum AUAudioUnitError: Error, Hashable, Sendable {
    /// The node has no plug-in, or it could not be started.
    case noPlugin
    /// The saved data is not a state of this plug-in.
    case stateMalformed
    /// The format of the bus follows from the connections of its node.
    case formatFollowsConnections
}

extension AUAudioUnitError: LocalizedError, CustomStringConvertible {
    /// The error in a sentence.
    public var description: String {
        switch self {
        case .noPlugin: "The node has no plug-in, or its plug-in could not be started."
        case .stateMalformed: "Couldn't restore the state: no unit of this plug-in has saved it."
        case .formatFollowsConnections: "Couldn't set the format of a bus: it follows from the connections of the node."
        }
    }

    /// The error in a sentence.
    public var errorDescription: String? { description }
}

extension AudioNode {
    /// The unit behind the node, always the same object; it is empty without a plug-in.
    public var auAudioUnit: AUAudioUnit {
        companion.withLock { companion in
            if let unit = companion as? AUAudioUnit { return unit }
            let unit = AUAudioUnit(self)
            companion = unit
            return unit
        }
    }
}
