// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reason why a graph's document could not be read or made a graph; it names the place. Any thread.

import AudioFiles
import AudioGraph
import PluginHosting
import Printing

/// The reason why a graph's document could not be read, or made a graph.
public enum GraphDocumentError: Error, Hashable, Sendable {
    /// The file of the document cannot be read.
    case unreadable(path: String, reason: String)
    /// The document is not JSON, or a graph's, or a chain's; `reason` follows a colon.
    case foreign(reason: String)
    /// The document has a version that this host does not read.
    case version(Int)
    /// A field is missing or wrong; `node` is the name of its node, if it has one.
    case malformed(node: String?, reason: String)
    /// The kind of a node is unknown.
    case unknownKind(node: String, kind: String)
    /// A node's name is empty, too long or reserved, or it holds a colon or characters that cannot be shown.
    case badName(String, reason: String)
    /// Two nodes have the same name.
    case duplicateName(String)
    /// The document has more of these than allowed.
    case tooMany(what: String, count: Int, maximum: Int)
    /// A connection names a node that does not exist.
    case noSuchNode(connection: String, node: String)
    /// A connection leads from a node without outputs, or to one without inputs.
    case impossibleConnection(connection: String, reason: String)
    /// Two connections lead to one bus.
    case takenBus(node: String, bus: Int)
    /// These nodes would feed each other in this order; the last one feeds the first.
    case cycle(nodes: [String])
    /// A sound file of a node cannot be played.
    case soundFile(node: String, AudioFileError)
    /// The file of a listener's head cannot be used.
    case head(node: String, AudioHeadError)
    /// The file of the poses of a listener's head cannot be used.
    case headPoses(node: String, path: String, line: Int?, reason: String)
    /// A part of a sound file lies outside of it, or the file is not an ordinary one.
    case soundPart(node: String, path: String, reason: String)
    /// A MIDI file cannot be read.
    case midiFile(id: String, AudioSequencerError)
    /// A MIDI route is wrong; it is named by its ends.
    case malformedRoute(String, reason: String)
    /// The plug-in of a node cannot be found or started.
    case unit(node: String, HostingError)
    /// The plug-ins cannot be looked for, or the document asks for rights that the user has not given.
    case hosting(HostingError)
    /// The engine does not make the graph.
    case engine(AudioEngineError)
}

extension GraphDocumentError: CustomStringConvertible {
    /// One sentence; names from the document are shortened, and their terminal control characters replaced.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "Couldn't read the graph \(Self.quoted(path, limit: 1024)): \(reason)."
        case .foreign(let reason): "This is not a graph of Bulkhead: \(reason)."
        case .version(let version):
            "The graph has format \(version), and this host reads \(GraphDocument.formatVersion)"
                + (version > GraphDocument.formatVersion
                    ? "; it was made by a newer Bulkhead. Update this one." : ". Write the number \(GraphDocument.formatVersion).")
        case .malformed(let node, let reason):
            node.map { "The node \(Self.quoted($0)) is malformed: \(reason)." } ?? "The graph is malformed: \(reason)."
        case .unknownKind(let node, let kind):
            "The node \(Self.quoted(node)) has the kind \(Self.quoted(kind)), which there is not. "
                + "Kinds are \(GraphDocument.Kind.words.joined(separator: ", "))."
        case .badName(let name, let reason): "A node cannot be called \(Self.quoted(name)): \(reason)."
        case .duplicateName(let name): "Two nodes are called \(Self.quoted(name)). Give one another id."
        case .tooMany(let what, let count, let maximum): "The graph has \(count) \(what), and \(maximum) are the most."
        case .noSuchNode(let connection, let node):
            "The connection \(Self.quoted(connection)) names the node \(Self.quoted(node)), which is not there."
        case .impossibleConnection(let connection, let reason):
            "The connection \(Self.quoted(connection)) cannot be made: \(reason)."
        case .takenBus(let node, let bus):
            "Two connections lead to input \(bus) of \(Self.quoted(node)). Put a mixer in front of it."
        case .cycle(let nodes):
            "These nodes would feed each other: \(Self.chain(nodes + nodes.prefix(1))). Take one connection out."
        case .soundFile(let node, let error): "The node \(Self.quoted(node)) cannot play: \(error)"
        case .head(let node, let error): "The listener of \(Self.quoted(node)) cannot be made: \(PrintableText.shown("\(error)"))"
        case .headPoses(let node, let path, let line, let reason):
            "The listener of \(Self.quoted(node)) cannot turn as \(Self.quoted(path, limit: 1024)) says: "
                + (line.map { "line \($0): " } ?? "") + "\(reason)."
        case .soundPart(let node, let path, let reason):
            "The node \(Self.quoted(node)) cannot play \(Self.quoted(path, limit: 1024)): \(reason)."
        case .midiFile(let id, let error): "The MIDI file \(Self.quoted(id)) cannot be played: \(PrintableText.shown("\(error)"))"
        case .malformedRoute(let route, let reason): "The MIDI route \(Self.quoted(route)) is malformed: \(reason)."
        case .unit(let node, let error): "The node \(Self.quoted(node)) cannot be made: \(error)"
        case .hosting(let error): "\(error)"
        case .engine(let error): PrintableText.shown("\(error)")
        }
    }

    /// The error of a plug-in, so that the user gets advice on it.
    package var hostingError: HostingError? {
        switch self {
        case .unit(_, let error), .hosting(let error), .engine(.unit(_, let error)): error
        default: nil
        }
    }

    static func quoted(_ text: String, limit: Int = 80) -> String { "\"\(PrintableText.cleaned(text, limit: limit))\"" }

    /// The first and the last few names.
    private static func chain(_ names: [String]) -> String {
        let shown = names.map { PrintableText.cleaned($0, limit: 40) }
        let parts = shown.count > 10 ? Array(shown.prefix(5)) + ["…"] + shown.suffix(4) : shown
        return parts.joined(separator: " → ")
    }
}
