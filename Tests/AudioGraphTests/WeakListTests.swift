// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A list of weak references grows with its living objects alone, and is swept seldom. Test thread.

import Testing

@testable import AudioGraph

@Suite struct WeakListTests {
    private final class Object {}

    @Test func endedObjectsAreForgotten() {
        var list = WeakList<Object>()
        let kept = (0..<20).map { _ in Object() }
        for object in kept { list.append(object) }
        for _ in 0..<10_000 { list.append(Object()) }
        #expect(list.living.elementsEqual(kept) { $0 === $1 } && list.count <= 2 * kept.count)
    }

    @Test func livingObjectsAreLookedAtSeldom() {
        var list = WeakList<Object>()
        let kept = (0..<10_000).map { _ in Object() }
        for object in kept { list.append(object) }
        #expect(list.living.count == 10_000 && list.sweepCount <= 11)
    }
}
