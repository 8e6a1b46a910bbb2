// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Objects that a list does not keep alive. One thread at a time.

/// Weak references to objects; an object is added in the same time however many there are.
struct WeakList<Object: AnyObject> {
    private struct Weak { weak var object: Object? }

    private var all: [Weak] = []
    /// The number of references at which those to ended objects are removed.
    private var limit = WeakList.leastLimit
    /// The number of times that they were removed.
    private(set) var sweepCount = 0
    private static var leastLimit: Int { 8 }

    /// The number of references, those to ended objects included.
    var count: Int { all.count }

    /// The objects that still exist.
    var living: [Object] { all.compactMap(\.object) }

    /// Adds an object.
    mutating func append(_ object: Object) {
        if all.count >= limit {
            all.removeAll { $0.object == nil }
            limit = max(Self.leastLimit, 2 * all.count)
            sweepCount += 1
        }
        all.append(Weak(object: object))
    }
}
