// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The publishers of objects that have none of their own. Any thread.

/// A published property, whatever its type.
protocol PublishedProperty {
    /// Tells changes to an object's publisher from now on.
    func tell(_ publisher: ObservableObjectPublisher)
}

/// The publishers of objects that have none of their own, as long as the objects live.
enum ObjectPublishers {
    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// At this number of entries, those of objects that are gone are removed.
        var limit = 64
    }

    private static let state = Guarded(State())

    /// The publisher of an object; the first call finds the object's published properties.
    static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let (publisher, isNew) = state.withLock { state in
            let key = ObjectIdentifier(object)
            if let entry = state.entries[key], entry.object === object { return (entry.publisher, false) }
            let publisher = ObservableObjectPublisher()
            state.entries[key] = Entry(object: object, publisher: publisher)
            if state.entries.count >= state.limit {
                state.entries = state.entries.filter { $0.value.object != nil }
                state.limit = max(64, 2 * state.entries.count)
            }
            return (publisher, true)
        }
        if isNew { for property in properties(of: object) { property.tell(publisher) } }
        return publisher
    }

    private static func properties(of object: AnyObject) -> [any PublishedProperty] {
        var mirror: Mirror? = Mirror(reflecting: object)
        var properties: [any PublishedProperty] = []
        while let part = mirror {
            properties += part.children.compactMap { $0.value as? any PublishedProperty }
            mirror = part.superclassMirror
        }
        return properties
    }

    /// How many entries are kept.
    static var count: Int { state.withLock { $0.entries.count } }
}
