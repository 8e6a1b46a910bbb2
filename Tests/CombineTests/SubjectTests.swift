// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Subjects and their subscribers: values, ends, demand, and threads. Test thread, and others that send.

import Combine
import Foundation
import Testing

@Suite struct SubjectTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description = "trouble"
    }

    /// Asks for as many values as it is told to.
    private final class Reader: Subscriber {
        var (values, ends): ([Int], [Subscribers.Completion<Never>]) = ([], [])
        var subscription: (any Subscription)?
        var answer = Subscribers.Demand.none

        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return answer
        }
        func receive(completion: Subscribers.Completion<Never>) { ends.append(completion) }
    }

    @Test func aSubjectWithoutAMemorySendsToThePresentSubscribers() {
        let subject = PassthroughSubject<Int, Never>()
        subject.send(1)
        var (first, second): ([Int], [Int]) = ([], [])
        var kept: Set<AnyCancellable> = []
        subject.sink { first.append($0) }.store(in: &kept)
        subject.send(2)
        subject.sink { second.append($0) }.store(in: &kept)
        subject.send(3)
        #expect(first == [2, 3] && second == [3] && kept.count == 2)
        kept = []
        subject.send(4)
        #expect(first == [2, 3] && second == [3])
    }

    @Test func aSubjectKnowsItsLatestValue() {
        let subject = CurrentValueSubject<String, Never>("a")
        var values: [String] = []
        var kept: [AnyCancellable] = []
        subject.sink { values.append($0 + subject.value) }.store(in: &kept)
        subject.send("b")
        subject.value = "c"
        #expect(values == ["aa", "bb", "cc"] && subject.value == "c")
        subject.send(completion: .finished)
        subject.send("d")
        #expect(values.count == 3 && subject.value == "c")
    }

    @Test func aSubscriptionEndsWithTheLastReference() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        var end: AnyCancellable? = subject.sink { values.append($0) }
        subject.send(1)
        #expect(end != nil)
        end = nil
        subject.send(2)
        #expect(values == [1])
    }

    @Test func anEndIsToldOnceAndToThoseWhoComeLater() {
        let subject = PassthroughSubject<Int, Trouble>()
        var heard: [String] = []
        func listen(_ name: String) -> AnyCancellable {
            subject.sink {
                heard.append("\(name) \($0)")
            } receiveValue: {
                heard.append("\(name) \($0)")
            }
        }
        let first = listen("first")
        subject.send(1)
        subject.send(completion: .failure(Trouble()))
        subject.send(2)
        subject.send(completion: .finished)
        let second = listen("second")
        #expect(heard == ["first 1", "first failure(trouble)", "second failure(trouble)"])
        first.cancel()
        second.cancel()
    }

    @Test func aSubscriberGetsNoMoreThanItAsksFor() throws {
        let (subject, reader) = (PassthroughSubject<Int, Never>(), Reader())
        subject.subscribe(reader)
        subject.send(1)
        let subscription = try #require(reader.subscription)
        subscription.request(.max(2))
        for value in 2...4 { subject.send(value) }
        #expect(reader.values == [2, 3])
        reader.answer = .max(1)
        subscription.request(.max(1))
        subject.send(5)
        subject.send(6)
        #expect(reader.values == [2, 3, 5, 6])
        subscription.cancel()
        subject.send(7)
        subject.send(completion: .finished)
        #expect(reader.values.count == 4 && reader.ends.isEmpty)
    }

    @Test func theLatestValueWaitsUntilASubscriberAsks() throws {
        let (subject, reader) = (CurrentValueSubject<Int, Never>(1), Reader())
        subject.subscribe(reader)
        subject.send(2)
        subject.send(3)
        #expect(reader.values.isEmpty)
        let subscription = try #require(reader.subscription)
        subscription.request(.max(1))
        subscription.request(.max(1))
        #expect(reader.values == [3])
        subject.send(4)
        subject.send(5)
        #expect(reader.values == [3, 4])
        subscription.request(.unlimited)
        #expect(reader.values == [3, 4, 5])
    }

    @Test func demandsAddUp() {
        #expect(Subscribers.Demand.max(2) + .max(3) == .max(5) && .max(1) + .unlimited == Subscribers.Demand.unlimited)
        #expect(Subscribers.Demand.max(.max) + .max(1) == .unlimited && .max(-1) == Subscribers.Demand.none)
        #expect(Subscribers.Demand.unlimited.max == nil && Subscribers.Demand.max(4).max == 4)
    }

    @Test func aSubscriberMaySendAndCancelWhileItReceives() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        var end: AnyCancellable?
        end = subject.sink { value in
            values.append(value)
            if value < 3 { subject.send(value + 1) } else { end?.cancel() }
        }
        subject.send(1)
        subject.send(1)
        #expect(values == [1, 2, 3])
    }

    @Test func aSignalNeedsNoValue() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let end = subject.sink { count += 1 }
        subject.send()
        #expect(count == 1)
        end.cancel()
    }

    @Test func anActionIsCarriedOutOnce() {
        var count = 0
        var end: AnyCancellable? = AnyCancellable { count += 1 }
        end?.cancel()
        end?.cancel()
        end = nil
        #expect(count == 1)
        _ = AnyCancellable { count += 1 }
        #expect(count == 2)
    }

    @Test func threadsSendOneAfterTheOtherToASubscriber() {
        let subject = PassthroughSubject<Int, Never>()
        nonisolated(unsafe) let sending = subject  // SAFETY: a subject is sent to from any thread.
        nonisolated(unsafe) var (sum, inside, most) = (0, 0, 0)  // SAFETY: the subject calls the closure once at a time.
        let end = subject.sink { value in
            inside += 1
            most = max(most, inside)
            sum += value
            inside -= 1
        }
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for value in 1...1000 { sending.send(value) }
        }
        #expect(sum == 4 * 500_500 && most == 1)
        end.cancel()
    }
}
