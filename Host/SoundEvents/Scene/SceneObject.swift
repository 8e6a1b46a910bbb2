// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An object in the tree of a scene: a place beside its parent. Any thread but the render thread.

import Spatial

/// An object of a scene, which has a place beside its parent.
///
/// `[any]` but the render thread. An object is heard, and hears, while it is part of the tree below the scene's `root`. In manual mode all
/// moves since the last `SoundEngine.update()` take effect together, and each object is on its way for as long as the updates before were
/// apart, 0.1 s at most. In automatic mode a move takes effect with the next block, and takes 20 ms. Both are exact to the frame.
public class SceneObject: @unchecked Sendable {
    // SAFETY: the lock of the graph guards the links.
    struct Links {
        weak var parent: SceneObject?
        /// True for the root and all below it.
        var isAttached = false
        var children: [SceneObject] = []
        var transform = SceneTransform()
        var gain = 1.0
        var isDirty = false
        /// True if the render thread knows a place: the next one is reached by a move, and not by a jump.
        var isPlaced = false
    }

    let graph: SceneGraph
    let isRoot: Bool
    /// The source or the listener at the object; nil for neither.
    let emitter: SceneEmitter?
    final var links = Links()

    /// Makes an object without a parent.
    public convenience init(in scene: SoundScene) { self.init(scene.graph, emitter: nil) }

    init(_ graph: SceneGraph, emitter: SceneEmitter?, isRoot: Bool = false) {
        (self.graph, self.emitter, self.isRoot) = (graph, emitter, isRoot)
        links.isAttached = isRoot
    }

    /// The object to which it was added; nil for none.
    public final var parent: SceneObject? { graph.read { links.parent } }

    /// The objects that were added, in their order.
    public final var children: [SceneObject] { graph.read { links.children } }

    /// True if it is part of the tree below the root.
    public final var isInScene: Bool { graph.read { links.isAttached } }

    /// The transform in the space of the parent.
    public final var transform: SceneTransform { graph.read { links.transform } }

    /// The transform in the space of the scene, or of its topmost parent while it is not in the scene.
    public final var worldTransform: SceneTransform { graph.read { world } }

    /// Moves it to a transform in the space of its parent.
    ///
    /// Throws `root` and `transform`.
    public final func move(to transform: SceneTransform) throws(SceneError) {
        guard !isRoot else { throw .root }
        guard transform.isPossible else { throw .transform(transform) }
        graph.change { state in
            links.transform = transform
            state.mark(self)
        }
    }

    /// Moves it to a transform in the space of the scene.
    ///
    /// Throws `root` and `transform`.
    public final func move(toWorld transform: SceneTransform) throws(SceneError) {
        let local = graph.read { links.parent?.world.locating(transform) ?? transform }
        try move(to: local)
    }

    /// Adds an object that has no parent; its transform counts in the space of this object from now on.
    ///
    /// Throws `hasParent`, `cycle`, `root`, `depth` and `otherScene`.
    public final func add(_ child: SceneObject) throws(SceneError) {
        guard child.graph === graph else { throw .otherScene }
        guard !child.isRoot else { throw .root }
        let fault = graph.change { state -> SceneError? in
            if child.links.parent != nil { return .hasParent }
            if contained(in: child) { return .cycle }
            if depth + child.height >= SceneError.mostLevels { return .depth }
            child.links.parent = self
            links.children.append(child)
            if links.isAttached {
                child.setAttached(true)
                state.mark(child)
            }
            return nil
        }
        if let fault { throw fault }
    }

    /// Takes a child away; the events of all its sources and listeners fade out and end.
    ///
    /// Throws `noChild`.
    public final func remove(_ child: SceneObject) throws(SceneError) {
        let emitters = graph.change { _ -> [SceneEmitter]? in
            guard child.links.parent === self else { return nil }
            let emitters = links.isAttached ? child.emitters : []
            links.children.removeAll { $0 === child }
            child.leave()
            return emitters
        }
        guard let emitters else { throw .noChild }
        graph.stop(emitters)
    }

    /// Takes all children away.
    public final func removeAll() {
        let emitters = graph.change { _ -> [SceneEmitter] in
            let emitters = links.isAttached ? links.children.flatMap(\.emitters) : []
            for child in links.children { child.leave() }
            links.children = []
            return emitters
        }
        graph.stop(emitters)
    }
}

// The caller holds the lock of the graph.
extension SceneObject {
    var world: SceneTransform {
        guard let parent = links.parent, !parent.isRoot else { return links.transform }
        return parent.world.placing(links.transform)
    }

    /// True if another object contains it, or is the same.
    private func contained(in other: SceneObject) -> Bool { self === other || (links.parent?.contained(in: other) ?? false) }

    /// The objects above it.
    private var depth: Int { links.parent.map { $0.depth + 1 } ?? 0 }

    /// The levels of the tree from the object on.
    private var height: Int { (links.children.map(\.height).max() ?? 0) + 1 }

    func setGain(_ gain: Double) {
        guard !gain.isNaN else { return }
        graph.change { state in
            links.gain = max(0, min(1, gain))
            state.mark(self)
        }
    }

    /// Those of the object and of all below it.
    fileprivate var emitters: [SceneEmitter] { (emitter.map { [$0] } ?? []) + links.children.flatMap(\.emitters) }

    /// Notes that the object and all below it are in the scene, or no longer; the next place is jumped to.
    func setAttached(_ isAttached: Bool) {
        (links.isAttached, links.isPlaced) = (isAttached, false)
        for child in links.children { child.setAttached(isAttached) }
    }

    private func leave() {
        links.parent = nil
        if links.isAttached { setAttached(false) }
    }
}
