// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The loaded bundles as lilv sees them, in Swift values. Control thread.

import CLilv
import PluginSDK

/// A node of the graph that the bundles' files describe: a URI, a literal, or a blank node.
final class Node {
    let pointer: OpaquePointer
    /// Nodes are interned in their world, so each node keeps the world alive.
    private let world: World

    /// Takes ownership of the pointer.
    init(_ pointer: OpaquePointer, _ world: World) {
        self.pointer = pointer
        self.world = world
    }

    deinit { lilv_node_free(pointer) }

    var isURI: Bool { lilv_node_is_uri(pointer) }

    /// The URI, the text of a literal, or the reader's name for a blank node.
    var text: String { String(cString: lilv_node_as_string(pointer)) }

    /// The number of a literal; nil for anything else.
    var number: Double? {
        if lilv_node_is_float(pointer) || lilv_node_is_int(pointer) {
            let value = Double(lilv_node_as_float(pointer))
            return value.isFinite ? value : nil
        }
        return lilv_node_is_bool(pointer) ? (lilv_node_as_bool(pointer) ? 1 : 0) : nil
    }

    /// The file of a URI; nil if it names none.
    var path: String? {
        guard let path = lilv_node_get_path(pointer, nil) else { return nil }
        defer { lilv_free(path) }
        return String(cString: path)
    }
}

/// The loaded bundles: a few, never all installed ones.
final class World {
    let pointer: OpaquePointer

    init() throws(UnitError) {
        guard let pointer = lilv_world_new() else { throw .failed("there is no memory to read bundles with") }
        self.pointer = pointer
    }

    deinit { lilv_world_free(pointer) }

    /// Reads the manifest of a bundle; lilv reads the other files when it needs them.
    func load(bundle path: String) {
        guard let uri = lilv_new_file_uri(pointer, nil, path.hasSuffix("/") ? path : path + "/") else { return }
        lilv_world_load_bundle(pointer, uri)
        lilv_node_free(uri)
    }

    /// Reads the files to which a resource refers.
    func load(resource: Node) { lilv_world_load_resource(pointer, resource.pointer) }

    /// The node of a URI; nil for an invalid URI.
    func node(_ uri: String) -> Node? { lilv_new_uri(pointer, uri).map { Node($0, self) } }

    /// Every object of statements with this subject and predicate.
    func values(_ subject: Node, _ predicate: String) -> [Node] {
        guard let predicate = node(predicate) else { return [] }
        return nodes(lilv_world_find_nodes(pointer, subject.pointer, predicate.pointer, nil))
    }

    func value(_ subject: Node, _ predicate: String) -> Node? { values(subject, predicate).first }

    /// Every subject of statements with this predicate and object.
    func subjects(_ predicate: String, _ object: String) -> [Node] {
        guard let predicate = node(predicate), let object = node(object) else { return [] }
        return nodes(lilv_world_find_nodes(pointer, nil, predicate.pointer, object.pointer))
    }

    /// Copies a collection and frees it.
    func nodes(_ collection: UnsafeMutableRawPointer?) -> [Node] {
        guard let collection else { return [] }
        defer { lilv_nodes_free(collection) }
        return borrowedNodes(collection)
    }

    /// Copies a collection that lilv owns.
    func borrowedNodes(_ collection: UnsafeRawPointer?) -> [Node] {
        guard let collection else { return [] }
        var nodes: [Node] = []
        var place = lilv_nodes_begin(collection)
        while !lilv_nodes_is_end(collection, place) {
            if let copy = lilv_node_duplicate(lilv_nodes_get(collection, place)) { nodes.append(Node(copy, self)) }
            place = lilv_nodes_next(collection, place)
        }
        return nodes
    }

    /// Every plug-in of the bundles.
    var plugins: [OpaquePointer] {
        let collection = lilv_world_get_all_plugins(pointer)
        var plugins: [OpaquePointer] = []
        var place = lilv_plugins_begin(collection)
        while !lilv_plugins_is_end(collection, place) {
            if let plugin = lilv_plugins_get(collection, place) { plugins.append(plugin) }
            place = lilv_plugins_next(collection, place)
        }
        return plugins
    }
}
