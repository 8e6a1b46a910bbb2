// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors of the engine, as values that name node, bus and format. Any thread.

import AudioFiles
import LinuxSystem
import PluginHosting
import Spatial

/// The reason why the engine refused a call.
///
/// The graph is unchanged then. `description` is one sentence for the user. An error carries the node that it concerns, with its name.
public enum AudioEngineError: Error, Hashable, Sendable {
    /// The node is attached to this engine already.
    case alreadyAttached(node: NamedNode)
    /// The node is attached to another engine.
    case attachedElsewhere(node: NamedNode)
    /// The node is not attached to this engine.
    case notAttached(node: NamedNode)
    /// The engine's own output cannot be detached.
    case cannotDetach(node: NamedNode)
    /// The node does not have this bus; it has `count` of the kind.
    case noSuchBus(node: NamedNode, bus: Int, isInput: Bool, count: Int)
    /// These nodes would feed each other in this order; the last one feeds the first.
    case cycle(nodes: [NamedNode])
    /// Two nodes would be connected at two rates, without a converter in between.
    case rates(from: NamedNode, to: NamedNode)
    /// The format has no channels, more than the engine carries, or a rate that is not above 0.
    case impossibleFormat(node: NamedNode, AudioFormat)
    /// The destination cannot take the format, and nothing converts it.
    case formatRefused(node: NamedNode, bus: Int, AudioFormat, reason: String)
    /// The buffer does not have the player's format.
    case bufferFormat(node: NamedNode, buffer: AudioFormat, player: AudioFormat)
    /// The call is not possible in this state of the engine, such as "running".
    case wrongState(act: String, state: String)
    /// The engine has no output to render to: there is no driver, and rendering by hand is not on.
    case noDriver
    /// The driver could not start, or has stopped.
    case driver(reason: String)
    /// The number of frames is above the maximum of a cycle.
    case tooManyFrames(Int, maximum: Int)
    /// A tap's buffers cannot be that long.
    case tapSize(node: NamedNode, Int, maximum: Int)
    /// The calling thread renders for the engine, and cannot wait for itself.
    case onRenderThread(act: String)
    /// The node would be rendered at the pace of two time effects at once, or at the pace of one and at the driver's.
    case timeDomains(node: NamedNode, effects: [NamedNode])
    /// The engine's input leads to the time effect: a live sound cannot be played faster or slower than it comes.
    case liveInput(effect: NamedNode)
    /// The place, direction or distance is impossible; the node keeps the one before.
    case impossiblePlace(node: NamedNode, reason: String)
    /// The listener's head could not be used; sources are panned by equal power.
    case head(node: NamedNode, HeadSetError)
    /// A file could not be played.
    case file(node: NamedNode, AudioFileError)
    /// The system refused a request.
    case system(SystemError)
    /// A program's processor contradicts itself, so that no engine can render it.
    case processor(node: NamedNode, reason: String)
    /// A unit has failed.
    case unit(node: NamedNode, HostingError)
}

extension AudioEngineError: CustomStringConvertible {
    /// One sentence for the user.
    public var description: String {
        switch self {
        case .alreadyAttached(let node): "\"\(node)\" is attached to this engine already."
        case .attachedElsewhere(let node): "\"\(node)\" is attached to another engine. Detach it there first."
        case .notAttached(let node): "\"\(node)\" is not attached to this engine. Attach it first."
        case .cannotDetach(let node): "\"\(node)\" belongs to the engine and cannot be detached."
        case .noSuchBus(let node, let bus, let isInput, let count):
            "\"\(node)\" has no \(isInput ? "input" : "output") bus \(bus): "
                + (count == 0 ? "it has none." : count == 1 ? "it has bus 0 alone." : "it has buses 0 to \(count - 1).")
        case .cycle(let nodes):
            "These nodes would feed each other: \((nodes + nodes.prefix(1)).map(\.name).joined(separator: " → "))."
        case .rates(let source, let destination):
            "\"\(source)\" and \"\(destination)\" would be connected at two rates without a converter."
        case .impossibleFormat(let node, let format): "\"\(node)\" cannot have \(format)."
        case .formatRefused(let node, let bus, let format, let reason):
            "\"\(node)\" does not take \(format) on bus \(bus): \(reason)."
        case .bufferFormat(let node, let buffer, let player): "The buffer has \(buffer), and \"\(node)\" plays \(player)."
        case .wrongState(let act, let state): "Couldn't \(act): the engine is \(state)."
        case .noDriver: "The engine has nothing to play to. Give it a driver, or turn manual rendering on."
        case .driver(let reason): "The audio driver failed: \(reason)"
        case .tooManyFrames(let count, let maximum): "\(count) frames are more than a cycle may have, which is \(maximum)."
        case .tapSize(let node, let count, let maximum):
            "\"\(node)\" can be tapped in buffers of 1 to \(maximum) frames, and not of \(count)."
        case .onRenderThread(let act): "Couldn't \(act): this thread renders for the engine."
        case .timeDomains(let node, let effects):
            "\"\(node)\" would be rendered at two paces: by \(effects.map { "\"\($0)\"" }.joined(separator: " and "))"
                + (effects.count == 1 ? " and past it. " : ". ") + "Give each way a source of its own."
        case .liveInput(let effect):
            "\"\(effect)\" stretches time, and the engine's input leads to it: a live sound cannot be played faster or slower than it comes."
        case .impossiblePlace(let node, let reason): "\"\(node)\" cannot have \(reason)."
        case .head(_, let error): "\(error)"
        case .file(_, let error): "\(error)"
        case .system(let error): "\(error)"
        case .processor(let node, let reason): "\"\(node)\" cannot be rendered: \(reason)."
        case .unit(_, let error): "\(error)"
        }
    }
}
