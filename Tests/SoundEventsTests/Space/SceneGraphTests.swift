// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tree of a scene: parents, children, transforms, and what is refused. Test thread.

import AudioGraph
import Spatial
import Testing

@testable import SoundEvents

@Suite struct SceneGraphTests {
    private func isNear(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Bool {
        let way = left - right
        return (way * way).sum() < 1e-18
    }

    @Test func aTransformPlacesItsChildrenAndFindsThemAgain() {
        // Turned by 90° to the right: the front is +x, and the right side is +z.
        let parent = SceneTransform(
            position: SIMD3(1, 2, 3), orientation: HeadAxes(HeadAngles(yaw: 90)), scale: 2)
        let child = SceneTransform(position: SIMD3(1, 0, -3), orientation: HeadAxes(HeadAngles(yaw: 30, pitch: 20)), scale: 3)
        let world = parent.placing(child)
        #expect(isNear(world.position, SIMD3(1 + 6, 2, 3 + 2)) && world.scale == 6)
        #expect(isNear(world.orientation.forward, HeadAxes(HeadAngles(yaw: 120, pitch: 20)).forward))
        let back = parent.locating(world)
        #expect(isNear(back.position, child.position) && back.scale == 3)
        #expect(isNear(back.orientation.forward, child.orientation.forward) && isNear(back.orientation.up, child.orientation.up))
    }

    @Test func worldTransformsFollowParents() throws {
        let bench = try SpaceBench()
        let (car, door) = (SceneObject(in: bench.engine.scene), SceneObject(in: bench.engine.scene))
        try car.add(door)
        #expect(!door.isInScene && door.parent === car && car.children.map { $0 === door } == [true])
        try bench.engine.scene.root.add(car)
        try car.move(to: SceneTransform(position: SIMD3(10, 0, 0), orientation: HeadAxes(HeadAngles(yaw: 180))))
        try door.move(to: SceneTransform(position: SIMD3(1, 0, 0)))
        #expect(door.isInScene && isNear(door.worldTransform.position, SIMD3(9, 0, 0)))
        try door.move(toWorld: SceneTransform(position: SIMD3(0, 1, 0)))
        #expect(isNear(door.worldTransform.position, SIMD3(0, 1, 0)) && isNear(door.transform.position, SIMD3(10, 1, 0)))
    }

    @Test func treesThatCannotBeAreRefused() throws {
        let (bench, other) = (try SpaceBench(), try SpaceBench())
        let scene = bench.engine.scene
        let (a, b) = (SceneObject(in: scene), SceneObject(in: scene))
        try a.add(b)
        #expect(throws: SceneError.hasParent) { try scene.root.add(b) }
        #expect(throws: SceneError.cycle) { try b.add(a) }
        #expect(throws: SceneError.cycle) { try a.add(a) }
        #expect(throws: SceneError.root) { try a.add(scene.root) }
        #expect(throws: SceneError.root) { try scene.root.move(to: SceneTransform()) }
        #expect(throws: SceneError.otherScene) { try other.engine.scene.root.add(a) }
        #expect(throws: SceneError.noChild) { try scene.root.remove(b) }
        let nowhere = SceneTransform(position: SIMD3(.infinity, 0, 0))
        #expect(throws: SceneError.transform(nowhere)) { try a.move(to: nowhere) }
        #expect(throws: SceneError.self) { try a.move(to: SceneTransform(scale: 0)) }
        #expect(throws: SceneError.self) { try a.move(to: SceneTransform(position: SIMD3(.nan, 0, 0))) }
        #expect(throws: SceneError.units(0)) { try scene.setUnitsPerMetre(0) }
        var last = b
        for _ in 0..<254 {
            let next = SceneObject(in: scene)
            try last.add(next)
            last = next
        }
        #expect(throws: SceneError.depth) { try last.add(SceneObject(in: scene)) }
        // Under the root it would be one level more.
        #expect(throws: SceneError.depth) { try scene.root.add(a) }
    }

    @Test func anObjectThatLeavesTakesItsEventsWithIt() throws {
        for leaves in [0, 1, 2] {
            let bench = try SpaceBench()
            let (group, endings) = (SceneObject(in: bench.engine.scene), Endings())
            try bench.engine.scene.root.remove(bench.source)
            try bench.engine.scene.root.add(group)
            try group.add(bench.source)
            let event = try bench.event()
            try event.start { endings.add($0) }
            #expect(try bench.gains()[0] > 0.5)
            switch leaves {
            case 0: try group.remove(bench.source)
            case 1: try bench.engine.scene.root.remove(bench.listener)
            default: bench.engine.scene.root.removeAll()
            }
            let sound = try bench.graph.render(4096)[0]
            // It fades within 5 ms, without a step.
            #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 } && sound[300...].allSatisfy { $0 == 0 })
            bench.engine.update()
            #expect(endings.all == [.stopped])
            let again = try bench.event()
            #expect(throws: SoundEventError.self) { try again.start() }
        }
    }

    @Test func anEngineThatGoesLeavesItsObjectsUsable() throws {
        var engine: SoundEngine? = try SoundEngine(in: AudioEngine.offline())
        let scene = try #require(engine?.scene)
        let source = SceneSource(in: scene)
        try scene.root.add(source)
        engine = nil
        try source.move(to: SceneTransform(position: SIMD3(1, 0, 0)))
        source.gain = 0.5
        try scene.root.remove(source)
        #expect(source.gain == 0.5 && !source.isInScene)
    }
}
