// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The subscriptions of a source: who gets which value, and when. On the thread that sends.

import Foundation

/// The subscription of one subscriber; it gets a value at a time.
final class Outlet<Output, Failure: Error>: Subscription {
    private struct State {
        var receiveValue: ((Output) -> Subscribers.Demand)?
        var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        var demand = Subscribers.Demand.none
        /// The value that waits until the subscriber asks for one.
        var waiting: Output?

        mutating func take() -> (receive: (Output) -> Subscribers.Demand, value: Output)? {
            guard demand != .none, let receiveValue, let value = waiting else { return nil }
            (waiting, demand) = (nil, demand.reduced)
            return (receiveValue, value)
        }
    }

    private let state: Guarded<State>
    /// Held while the subscriber is called, which may send again.
    private let delivery = NSRecursiveLock()
    private let remove: (Outlet) -> Void

    init(
        _ subscriber: some Subscriber<Output, Failure>, waiting: Output? = nil, remove: @escaping (Outlet) -> Void
    ) {
        state = Guarded(
            State(receiveValue: subscriber.receive, receiveCompletion: subscriber.receive(completion:), waiting: waiting))
        self.remove = remove
    }

    /// Sends a value; without demand it is dropped, or waits in the place of an older one.
    func offer(_ value: Output, keepsLatest: Bool) {
        delivery.lock()
        defer { delivery.unlock() }
        _ = state.withLock { exchange(&$0.waiting, with: value) }
        deliver()
        if !keepsLatest { _ = state.withLock { exchange(&$0.waiting, with: nil) } }
    }

    func request(_ demand: Subscribers.Demand) {
        delivery.lock()
        defer { delivery.unlock() }
        state.withLock { $0.demand += demand }
        deliver()
    }

    /// Calls the subscriber while a value waits that it has asked for.
    private func deliver() {
        while let (receive, value) = state.withLock({ $0.take() }) {
            let more = receive(value)
            state.withLock { $0.demand += more }
        }
    }

    /// Sends the end, and forgets the subscriber.
    func finish(_ completion: Subscribers.Completion<Failure>) {
        delivery.lock()
        defer { delivery.unlock() }
        forget().receiveCompletion?(completion)
    }

    func cancel() {
        _ = forget()
        remove(self)
    }

    private func forget() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

/// The subscriptions of a source.
final class Outlets<Output, Failure: Error>: Sendable {
    private struct State {
        var outlets: [Outlet<Output, Failure>] = []
        var completion: Subscribers.Completion<Failure>?
    }

    private let state = Guarded(State())

    /// Adds a subscriber; `waiting` is the value that it gets first.
    func add(_ subscriber: some Subscriber<Output, Failure>, waiting: () -> Output? = { nil }) {
        let (outlet, completion) = state.withLock { state in
            let outlet = Outlet(subscriber, waiting: state.completion == nil ? waiting() : nil) { [weak self] in self?.remove($0) }
            if state.completion == nil { state.outlets.append(outlet) }
            return (outlet, state.completion)
        }
        subscriber.receive(subscription: outlet)
        if let completion { outlet.finish(completion) }
    }

    private func remove(_ outlet: Outlet<Output, Failure>) {
        state.withLock { $0.outlets.removeAll { $0 === outlet } }
    }

    /// Sends a value to all.
    func offer(_ value: Output, keepsLatest: Bool) {
        for outlet in state.withLock({ $0.outlets }) { outlet.offer(value, keepsLatest: keepsLatest) }
    }

    /// Sends the end to all, and to those who come later.
    func finish(_ completion: Subscribers.Completion<Failure>) {
        let outlets = state.withLock { state in
            if state.completion == nil { state.completion = completion }
            defer { state.outlets = [] }
            return state.outlets
        }
        for outlet in outlets { outlet.finish(completion) }
    }

    /// Whether the end was sent.
    var isFinished: Bool { state.withLock { $0.completion != nil } }
}
