// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A subject that knows its latest value. On the thread that sends.

/// Sends its latest value to each new subscriber, and all later ones.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let outlets = Outlets<Output, Failure>()
    private let latest: Guarded<Output>

    /// Makes a subject with its first value.
    public init(_ value: Output) { latest = Guarded(value) }

    /// The latest value; setting it sends it.
    public var value: Output {
        get { latest.withLock { $0 } }
        set { send(newValue) }
    }

    /// Begins to send values to a subscriber; while it asks for none, only the latest one waits for it.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlets.add(subscriber) { latest.withLock { $0 } }
    }

    /// Keeps a value and sends it to all subscribers, on this thread; nothing happens after the end.
    public func send(_ value: Output) {
        guard !outlets.isFinished else { return }
        _ = latest.withLock { exchange(&$0, with: value) }
        outlets.offer(value, keepsLatest: true)
    }

    /// Ends the values for all subscribers.
    public func send(completion: Subscribers.Completion<Failure>) { outlets.finish(completion) }
}
