// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The same work on many things, several at once, on threads that are gone afterwards. Control thread.

import Synchronization

extension Thread {
    /// Threads at once, the calling one among them: those who wait for processes need not be as few as the processors.
    private static let mostAtOnce = 16

    /// `transform` of all `elements`, in their order; several at once, the calling thread among those that do the work. When any of
    /// them throws, what the first of those has thrown is thrown once all that have begun have ended; no others begin then.
    ///
    /// No dispatch queue: once a process has used one, a timer of the queues' own wakes it each second for as long as it lives.
    public static func map<Element: Sendable, Result: Sendable, Failure: Error>(
        _ elements: [Element], name: String, _ transform: @escaping @Sendable (Element) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        let work = MappedWork(elements, transform)
        let threads = (1..<max(1, min(elements.count, mostAtOnce))).compactMap { _ in try? Thread(name: name) { work.run() } }
        work.run()
        threads.forEach { $0.join() }
        return try work.results()
    }
}

/// Elements of which each is taken by one thread.
private final class MappedWork<Element: Sendable, Value: Sendable, Failure: Error>: Sendable {
    private let elements: [Element]
    private let transform: @Sendable (Element) throws(Failure) -> Value
    private let next = Atomic<Int>(0)
    private let outcomes: Mutex<[Int: Result<Value, Failure>]>

    init(_ elements: [Element], _ transform: @escaping @Sendable (Element) throws(Failure) -> Value) {
        self.elements = elements
        self.transform = transform
        outcomes = Mutex([:])
    }

    func run() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < elements.count else { return }
            let outcome = Result { () throws(Failure) in try transform(elements[index]) }
            if case .failure = outcome { next.store(elements.count, ordering: .relaxed) }
            outcomes.withLock { $0[index] = outcome }
        }
    }

    /// Once nobody is at work any more.
    func results() throws(Failure) -> [Value] {
        let all = outcomes.withLock { $0 }
        var values: [Value] = []
        for index in elements.indices { if let outcome = all[index] { values.append(try outcome.get()) } }
        return values
    }
}
