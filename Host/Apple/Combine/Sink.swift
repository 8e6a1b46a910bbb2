// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The subscriber that calls closures for values. On the thread that sends.

extension Subscribers {
    /// Calls closures for all values and for their end.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private struct State {
            var subscription: (any Subscription)?
            var receiveValue: ((Input) -> Void)?
            var receiveCompletion: ((Completion<Failure>) -> Void)?
        }

        private let state: Guarded<State>

        /// Takes the closures.
        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) { state = Guarded(State(receiveValue: receiveValue, receiveCompletion: receiveCompletion)) }

        /// Asks for all values; a second subscription is cancelled.
        public func receive(subscription: any Subscription) {
            let isWanted = state.withLock { state in
                guard state.subscription == nil, state.receiveValue != nil else { return false }
                state.subscription = subscription
                return true
            }
            isWanted ? subscription.request(.unlimited) : subscription.cancel()
        }

        /// Calls the closure for a value.
        public func receive(_ input: Input) -> Demand {
            state.withLock { $0.receiveValue }?(input)
            return .none
        }

        /// Calls the closure for the end.
        public func receive(completion: Completion<Failure>) { finish().receiveCompletion?(completion) }

        /// Ends the subscription; no closure is called any more.
        public func cancel() { finish().subscription?.cancel() }

        private func finish() -> State {
            state.withLock { state in
                defer { state = State() }
                return state
            }
        }
    }
}

extension Publisher {
    /// Calls closures for all values and for their end, until the result is cancelled or gone.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure for all values, until the result is cancelled or gone.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property to each value, until the result is cancelled or gone; it keeps the object.
    public func assign<Root: AnyObject>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a published property to each value, as long as the property lives.
    public func assign(to published: inout Published<Output>.Publisher) { published.follow(self) }
}
