// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The end of a subscription, by a call or with the last reference to it. Any thread.

/// An activity that can be ended early.
public protocol Cancellable {
    /// Ends the activity; a second call does nothing.
    func cancel()
}

/// An activity that ends with the last reference to it.
public final class AnyCancellable: Cancellable, Hashable {
    private let action: Guarded<(() -> Void)?>

    /// Takes the action that ends the activity; it is carried out once.
    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }

    /// Takes an activity.
    public convenience init(_ activity: some Cancellable) { self.init(activity.cancel) }

    deinit { cancel() }

    /// Ends the activity; a second call does nothing.
    public func cancel() {
        let taken = action.withLock { action in
            defer { action = nil }
            return action
        }
        taken?()
    }

    /// Keeps the activity in a set.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Keeps the activity in a collection.
    public func store<Kept: RangeReplaceableCollection>(in collection: inout Kept) where Kept.Element == AnyCancellable {
        collection.append(self)
    }

    /// Whether both are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    /// Adds the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
