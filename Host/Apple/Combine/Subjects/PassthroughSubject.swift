// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A subject without a memory. On the thread that sends.

/// Sends values to those who subscribe at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let outlets = Outlets<Output, Failure>()

    /// Makes a subject.
    public init() {}

    /// Begins to send values to a subscriber; those that it has not asked for are dropped.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { outlets.add(subscriber) }

    /// Sends a value to the present subscribers, on this thread.
    public func send(_ value: Output) { outlets.offer(value, keepsLatest: false) }

    /// Ends the values for all subscribers.
    public func send(completion: Subscribers.Completion<Failure>) { outlets.finish(completion) }
}
