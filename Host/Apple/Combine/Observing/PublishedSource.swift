// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The value behind a published property, and who hears of it. On the thread that sets it.

/// The value of a published property.
final class PublishedSource<Value> {
    private struct State {
        var value: Value
        var objectWillChange: ObservableObjectPublisher?
        var kept: [AnyCancellable] = []
    }

    private let state: Guarded<State>
    let outlets = Outlets<Value, Never>()

    init(_ value: Value) { state = Guarded(State(value: value)) }

    /// The present value.
    var value: Value { state.withLock { $0.value } }

    /// Tells the object, then the subscribers, and then sets the value.
    func set(_ value: Value) {
        state.withLock { $0.objectWillChange }?.send()
        outlets.offer(value, keepsLatest: true)
        _ = state.withLock { exchange(&$0.value, with: value) }
    }

    /// Tells changes to an object's publisher from now on.
    func tell(_ publisher: ObservableObjectPublisher) { state.withLock { $0.objectWillChange = publisher } }

    /// Keeps a subscription as long as the property lives.
    func keep(_ subscription: AnyCancellable) { state.withLock { $0.kept.append(subscription) } }
}
