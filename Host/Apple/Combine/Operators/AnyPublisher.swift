// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A publisher whose type is hidden, and one of a single value. Any thread.

/// A publisher whose type is hidden.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let publisher: any Publisher<Output, Failure>

    /// Hides the type of a publisher.
    public init(_ publisher: some Publisher<Output, Failure>) { self.publisher = publisher }

    /// Begins to send values to a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        publisher.receive(subscriber: subscriber)
    }
}

extension Publisher {
    /// Hides the type of this publisher.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// Sends one value, and then the end.
public struct Just<Output>: Publisher {
    /// Nothing fails.
    public typealias Failure = Never

    /// The value.
    public let output: Output

    /// Takes the value.
    public init(_ output: Output) { self.output = output }

    /// Sends the value as soon as the subscriber asks for it.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: JustSubscription(output, subscriber))
    }
}

private final class JustSubscription<Downstream: Subscriber>: Subscription where Downstream.Failure == Never {
    private let waiting: Guarded<(value: Downstream.Input, subscriber: Downstream)?>

    init(_ value: Downstream.Input, _ subscriber: Downstream) { waiting = Guarded((value, subscriber)) }

    func request(_ demand: Subscribers.Demand) {
        guard demand != .none, let (value, subscriber) = take() else { return }
        _ = subscriber.receive(value)
        subscriber.receive(completion: .finished)
    }

    func cancel() { _ = take() }

    private func take() -> (value: Downstream.Input, subscriber: Downstream)? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
