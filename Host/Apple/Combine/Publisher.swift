// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The protocols by which values travel: publisher, subscriber, subscription. Any thread.

/// A source of values over time.
public protocol Publisher<Output, Failure> {
    /// The values.
    associatedtype Output
    /// The error that ends the values; `Never` if none does.
    associatedtype Failure: Error

    /// Begins to send values to a subscriber, as many as it asks for.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Begins to send values to a subscriber, as many as it asks for.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
}

/// A receiver of values, which says how many it takes.
public protocol Subscriber<Input, Failure> {
    /// The values.
    associatedtype Input
    /// The error that ends the values.
    associatedtype Failure: Error

    /// Takes the subscription, by which it asks for values.
    func receive(subscription: any Subscription)
    /// Takes a value, and says how many more it takes than it has asked for.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Takes the end of the values.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The connection of a publisher with one subscriber.
public protocol Subscription: Cancellable {
    /// Asks for so many more values.
    func request(_ demand: Subscribers.Demand)
}

/// A publisher that a program sends values through.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to the present subscribers, on this thread.
    func send(_ value: Output)
    /// Ends the values for all subscribers.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends a signal without a value.
    public func send() { send(()) }
}
