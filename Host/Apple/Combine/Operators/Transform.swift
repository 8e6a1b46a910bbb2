// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values that are changed or left out on their way. On the thread that sends.

/// The publishers that stand between others.
public enum Publishers {
    /// Changes values on their way, or leaves them out.
    public struct Transform<Upstream: Publisher, Output>: Publisher {
        /// The error of the source.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        /// Makes the step for one subscription; a step returns nil for a value that is left out.
        let makeStep: () -> (Upstream.Output) -> Output?

        /// Begins to send values to a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: TransformSubscriber(downstream: subscriber, step: makeStep()))
        }
    }
}

private struct TransformSubscriber<Input, Downstream: Subscriber>: Subscriber {
    typealias Failure = Downstream.Failure

    let downstream: Downstream
    let step: (Input) -> Downstream.Input?

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard let value = step(input) else { return .max(1) }
        return downstream.receive(value)
    }

    func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
    /// Sends the results of a closure.
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Transform<Self, Result> {
        Publishers.Transform(upstream: self) { transform }
    }

    /// Sends the results of a closure that are not nil.
    public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> Publishers.Transform<Self, Result> {
        Publishers.Transform(upstream: self) { transform }
    }

    /// Sends the values for which a closure returns true.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Transform<Self, Output> {
        Publishers.Transform(upstream: self) { { isIncluded($0) ? $0 : nil } }
    }

    /// Leaves out the first values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Transform<Self, Output> {
        Publishers.Transform(upstream: self) {
            let left = Guarded(count)
            return { value in
                let isDropped = left.withLock { left in
                    defer { left = Swift.max(0, left - 1) }
                    return left > 0
                }
                return isDropped ? nil : value
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out each value that equals the one before.
    public func removeDuplicates() -> Publishers.Transform<Self, Output> {
        Publishers.Transform(upstream: self) {
            let last = Guarded<Output?>(nil)
            return { value in
                last.withLock { last in
                    defer { last = value }
                    return last == value ? nil : value
                }
            }
        }
    }
}
