// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values that are changed, left out, or received elsewhere. Test thread, and queues.

import Combine
import Foundation
import Synchronization
import Testing

@Suite struct OperatorTests {
    /// The values that come out of a publisher for some that go in.
    private func heard<P: Publisher>(_ values: [Int], _ make: (PassthroughSubject<Int, Never>) -> P) -> [P.Output]
    where P.Failure == Never {
        let subject = PassthroughSubject<Int, Never>()
        var heard: [P.Output] = []
        let end = make(subject).sink { heard.append($0) }
        for value in values { subject.send(value) }
        end.cancel()
        return heard
    }

    @Test func valuesAreChangedAndLeftOut() {
        #expect(heard([1, 2, 3]) { $0.map { "\($0)" } } == ["1", "2", "3"])
        #expect(heard([1, 2, 3, 4]) { $0.filter { $0 % 2 == 0 } } == [2, 4])
        #expect(heard([1, 2, 3]) { $0.compactMap { $0 == 2 ? nil : -$0 } } == [-1, -3])
        #expect(heard([1, 1, 2, 2, 1]) { $0.removeDuplicates() } == [1, 2, 1])
        #expect(heard([1, 2, 3]) { $0.dropFirst() } == [2, 3] && heard([1, 2, 3]) { $0.dropFirst(2) } == [3])
        #expect(heard([1, 2, 3, 4]) { $0.filter { $0 > 1 }.map { 2 * $0 }.dropFirst().eraseToAnyPublisher() } == [6, 8])
    }

    @Test func eachSubscriptionCountsForItself() {
        let subject = PassthroughSubject<Int, Never>()
        let rest = subject.dropFirst()
        var (first, second): ([Int], [Int]) = ([], [])
        let ends = [rest.sink { first.append($0) }, rest.sink { second.append($0) }]
        subject.send(1)
        subject.send(2)
        #expect(first == [2] && second == [2])
        ends.forEach { $0.cancel() }
    }

    /// Asks for one value.
    private final class OneReader: Subscriber {
        var values: [Int] = []
        func receive(subscription: any Subscription) { subscription.request(.max(1)) }
        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return .none
        }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test func aValueThatIsLeftOutIsNotCounted() {
        let (subject, reader) = (PassthroughSubject<Int, Never>(), OneReader())
        subject.filter { $0 > 2 }.subscribe(reader)
        for value in 1...4 { subject.send(value) }
        #expect(reader.values == [3])
    }

    @Test func oneValueIsSentAndThenTheEnd() {
        var heard: [String] = []
        let end = Just(5).map { $0 + 1 }.sink {
            heard.append("\($0)")
        } receiveValue: {
            heard.append("\($0)")
        }
        #expect(heard == ["6", "finished"] && Just(1).output == 1)
        end.cancel()
    }

    @Test func valuesAreReceivedOnAQueueInTheirOrder() {
        let (queue, key) = (DispatchQueue(label: "test"), DispatchSpecificKey<Int>())
        queue.setSpecific(key: key, value: 1)
        let subject = PassthroughSubject<Int, Never>()
        let values = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        let end = subject.receive(on: queue).sink { _ in
            done.signal()
        } receiveValue: { value in
            if DispatchQueue.getSpecific(key: key) == 1 { values.withLock { $0.append(value) } }
        }
        for value in 1...100 { subject.send(value) }
        subject.send(completion: .finished)
        done.wait()
        #expect(values.withLock { $0 } == Array(1...100))
        end.cancel()
    }

    @Test func aCancelledSubscriberGetsNothingThatIsUnderWay() {
        let queue = DispatchQueue(label: "test")
        let subject = PassthroughSubject<Int, Never>()
        let count = Mutex(0)
        let end = subject.receive(on: queue).sink { _ in count.withLock { $0 += 1 } }
        queue.suspend()
        subject.send(1)
        end.cancel()
        queue.resume()
        queue.sync {}
        #expect(count.withLock { $0 } == 0)
    }

    @Test func valuesAreReceivedByAnOperationQueueAndARunLoop() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let values = Mutex<[Int]>([])
        let subject = CurrentValueSubject<Int, Never>(1)
        let end = subject.receive(on: queue).sink { value in values.withLock { $0.append(value) } }
        subject.send(2)
        queue.waitUntilAllOperationsAreFinished()
        #expect(values.withLock { $0 } == [1, 2])
        end.cancel()
        var heard: [Int] = []
        let other = subject.receive(on: RunLoop.current).sink { heard.append($0) }
        #expect(heard.isEmpty)
        _ = RunLoop.current.run(mode: .default, before: Date())
        #expect(heard == [2])
        other.cancel()
    }
}
