// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An object that tells its changes before they happen. On the thread that changes it.

/// An object that tells its changes before they happen.
public protocol ObservableObject: AnyObject {
    /// The publisher of changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// The publisher of changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Sends a signal before each change of a published property, and whenever the program sends one.
    ///
    /// An object with a publisher of its own sends the signals itself.
    public var objectWillChange: ObservableObjectPublisher { ObjectPublishers.publisher(of: self) }
}

/// Sends a signal before an object changes.
public final class ObservableObjectPublisher: Publisher {
    /// A signal without a value.
    public typealias Output = Void
    /// Nothing fails.
    public typealias Failure = Never

    private let outlets = Outlets<Void, Never>()

    /// Makes a publisher.
    public init() {}

    /// Begins to send signals to a subscriber; those that it has not asked for are dropped.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { outlets.add(subscriber) }

    /// Sends a signal to the present subscribers, on this thread.
    public func send() { outlets.offer((), keepsLatest: false) }
}
