// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values that are received on another queue or run loop. On the thread that sends, and then on the other one.

extension Publishers {
    /// Sends values on another queue or run loop.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values of the source.
        public typealias Output = Upstream.Output
        /// The error of the source.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let scheduler: Context

        /// Begins to send values to a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: ReceiveOnSubscriber(subscriber, scheduler))
        }
    }
}

private final class ReceiveOnSubscriber<Downstream: Subscriber, Context: Scheduler>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private struct State {
        var downstream: Downstream?
        var subscription: (any Subscription)?
    }

    private let scheduler: Context
    private let state: Guarded<State>

    init(_ downstream: Downstream, _ scheduler: Context) {
        self.scheduler = scheduler
        state = Guarded(State(downstream: downstream))
    }

    func receive(subscription: any Subscription) {
        let downstream = state.withLock { state in
            state.subscription = subscription
            return state.downstream
        }
        downstream?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        scheduler.schedule { [self] in
            // A cancelled subscriber gets nothing that is still under way.
            guard let more = state.withLock({ $0.downstream })?.receive(input), more != .none else { return }
            request(more)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        scheduler.schedule { [self] in forget().downstream?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) { state.withLock { $0.subscription }?.request(demand) }

    func cancel() { forget().subscription?.cancel() }

    private func forget() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

extension Publisher {
    /// Sends values on a queue or a run loop.
    public func receive<S: Scheduler>(on scheduler: S) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler)
    }
}
