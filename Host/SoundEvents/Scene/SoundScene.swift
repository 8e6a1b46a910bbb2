// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tree of objects in which sounds are placed, and its moves. Any thread but the render thread.

import Spatial
import Synchronization

/// The objects among which sounds are heard.
///
/// `[any]` but the render thread. `SoundEngine.scene` is the only one of its engine. Add sources and listeners to `root`, or to objects
/// below it.
public final class SoundScene: Sendable {
    /// The object that contains all others; it stays at the origin.
    public let root: SceneObject
    let graph: SceneGraph

    init(_ running: RunningEvents, isManual: Bool, sampleRate: Double) {
        graph = SceneGraph(running, isManual: isManual, sampleRate: sampleRate)
        root = SceneObject(graph, emitter: nil, isRoot: true)
    }

    /// The units of all positions and distances in a metre; at first 1.
    public var unitsPerMetre: Double { graph.unitsPerMetre }

    /// Sets the units in a metre, from 1e-6 to 1e6; places are jumped to, and events that have been made keep the reach of their mixers.
    ///
    /// Throws `units`.
    public func setUnitsPerMetre(_ units: Double) throws(SceneError) {
        guard (1e-6...1e6).contains(units) else { throw .units(units) }
        graph.setUnitsPerMetre(units, root)
    }
}

/// The lock of a scene's tree, and the moves that wait for the next update.
final class SceneGraph: Sendable {
    /// The objects that have moved since the last time.
    struct State {
        private(set) var moved: [SceneObject] = []
        var unitsPerMetre = 1.0

        /// Notes that an object has moved, or its gain has changed.
        mutating func mark(_ object: SceneObject) {
            guard !object.links.isDirty else { return }
            object.links.isDirty = true
            moved.append(object)
        }

        /// Takes the objects out that are marked.
        mutating func takeMoved() -> [SceneObject] { exchange(&moved, with: []) }

        /// The moves of all objects that are marked, and of all below them; nil without any.
        mutating func takeMoves() -> SceneMoves? {
            guard !moved.isEmpty else { return nil }
            let moves = SceneMoves()
            for object in moved {
                object.links.isDirty = false
                if object.links.isAttached { add(object, object.world, to: moves) }
            }
            moved.removeAll(keepingCapacity: true)
            return moves.isEmpty ? nil : moves
        }

        private func add(_ object: SceneObject, _ world: SceneTransform, to moves: SceneMoves) {
            // Scales multiply, and may lead beyond what a scene takes: the object is heard where it was then.
            guard world.isPossible else { return }
            if let emitter = object.emitter {
                let pose = SpatialPose(place: world.position / unitsPerMetre, axes: world.orientation)
                moves.add(emitter, pose, gain: object.links.gain, jumps: !object.links.isPlaced)
                object.links.isPlaced = true
            }
            for child in object.links.children {
                add(child, object.isRoot ? child.links.transform : world.placing(child.links.transform), to: moves)
            }
        }
    }

    private let state = Mutex(State())
    private let running: RunningEvents
    private let isManual: Bool
    /// The frames of a move in automatic mode.
    private let glideFrameCount: Int64

    init(_ running: RunningEvents, isManual: Bool, sampleRate: Double) {
        (self.running, self.isManual) = (running, isManual)
        glideFrameCount = Int64(Int(nearestFrame: 0.02 * sampleRate))
    }

    var unitsPerMetre: Double { state.withLock { $0.unitsPerMetre } }

    func setUnitsPerMetre(_ units: Double, _ root: SceneObject) {
        change { state in
            state.unitsPerMetre = units
            root.setAttached(true)
            state.mark(root)
        }
    }

    /// Reads the tree.
    func read<Result>(_ body: () -> Result) -> Result {
        // The results are objects, which threads may share, and values.
        let box = state.withLock { _ in Passed(value: body()) }
        return box.value
    }

    /// Changes the tree, and sends moves at once in automatic mode.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        let box = state.withLock { state in
            let result = Passed(value: body(&state))
            if !isManual, let moves = state.takeMoves() { running.send(moves, command(glideFrameCount)) }
            return result
        }
        return box.value
    }

    /// Sends all moves since the last update, with the others of the update: they take as long as the two last updates were apart.
    func update() {
        guard isManual else { return }
        state.withLock { state in running.send(state.takeMoves() ?? SceneMoves(), command(0)) }
    }

    private func command(_ frameCount: Int64) -> SceneCommand {
        var command = SceneCommand(.moves)
        command.frameCount = frameCount
        return command
    }

    /// Forgets the moves since the last update, with the objects.
    func forgetMoves() {
        let moved = state.withLock { $0.takeMoved() }
        withExtendedLifetime(moved) {}
    }

    /// Stops the events of sources and listeners that have left the scene.
    func stop(_ emitters: [SceneEmitter]) { if !emitters.isEmpty { running.stop(emitters) } }
}

/// A result on its way out of a lock.
private struct Passed<Value>: @unchecked Sendable {
    // SAFETY: objects of a scene are Sendable, and all other results are values.
    let value: Value
}
