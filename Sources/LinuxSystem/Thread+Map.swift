// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Does the same work on many elements, several at a time, on threads that end afterwards. Control thread.

import Synchronization

extension Thread {
    /// The largest number of threads, including the calling one.
    ///
    /// Threads that wait for processes may outnumber the processors.
    private static let mostAtOnce = 16

    /// Applies `transform` to all `elements`, several at a time, and returns the results in order.
    ///
    /// The calling thread works, too. If `transform` throws, no further elements are started. Once the running ones have ended,
    /// the error of the first failed element is thrown.
    ///
    /// This uses no dispatch queue. Once a process has used one, a timer of the queues wakes it every second until it ends.
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

/// Elements, each of which one thread takes.
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

    /// The results; call it only when no thread works any more.
    func results() throws(Failure) -> [Value] {
        let all = outcomes.withLock { $0 }
        var values: [Value] = []
        for index in elements.indices { if let outcome = all[index] { values.append(try outcome.get()) } }
        return values
    }
}
