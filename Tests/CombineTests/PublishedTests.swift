// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Published properties and observable objects: who hears of a change, when, and in which order. Test thread.

import Combine
import Testing

@Suite struct PublishedTests {
    private class Player: ObservableObject {
        @Published var level = 1
        @Published private(set) var name: String?
        var other = 0

        func call(_ name: String?) { self.name = name }
    }

    private final class Drummer: Player {
        @Published var beats: [Int] = []
    }

    private final class Silent: ObservableObject {
        let objectWillChange = ObservableObjectPublisher()
        @Published var level = 1
    }

    private final class Plain: ObservableObject {}

    @Test func theObjectHearsFirstThenTheSubscribersAndThenThePropertyIsSet() {
        let player = Player()
        var heard: [String] = []
        let ends = [
            player.objectWillChange.sink { heard.append("object \(player.level)") },
            player.$level.sink { heard.append("value \($0), property \(player.level)") },
        ]
        player.level = 2
        player.level += 1
        #expect(
            heard == [
                "value 1, property 1", "object 1", "value 2, property 1", "object 2", "value 3, property 2",
            ])
        #expect(player.level == 3)
        ends.forEach { $0.cancel() }
        player.level = 4
        #expect(heard.count == 5 && player.level == 4)
    }

    @Test func anObjectTellsChangesOfAllItsPublishedPropertiesAndNoOthers() {
        let drummer = Drummer()
        var count = 0
        let end = drummer.objectWillChange.sink { count += 1 }
        drummer.other = 5
        #expect(count == 0)
        drummer.beats.append(1)
        drummer.level = 2
        drummer.call("Ringo")
        #expect(count == 3 && drummer.beats == [1] && drummer.name == "Ringo")
        drummer.objectWillChange.send()
        #expect(count == 4 && drummer.objectWillChange === drummer.objectWillChange)
        end.cancel()
    }

    @Test func anObjectWithAPublisherOfItsOwnSendsTheSignalsItself() {
        let silent = Silent()
        var count = 0
        let end = silent.objectWillChange.sink { count += 1 }
        silent.level = 2
        #expect(count == 0)
        silent.objectWillChange.send()
        #expect(count == 1 && silent.level == 2)
        end.cancel()
    }

    @Test func anObjectWithoutPublishedPropertiesSendsSignalsToo() {
        let (plain, other) = (Plain(), Plain())
        var count = 0
        let end = plain.objectWillChange.sink { count += 1 }
        plain.objectWillChange.send()
        other.objectWillChange.send()
        #expect(count == 1)
        end.cancel()
    }

    @Test func publishersOfObjectsThatAreGoneAreForgotten() {
        // More than are kept before the first search, and later objects lie where former ones lay.
        for _ in 0..<1000 {
            let plain = Plain()
            var count = 0
            let end = plain.objectWillChange.sink { count += 1 }
            plain.objectWillChange.send()
            #expect(count == 1)
            end.cancel()
        }
        weak var gone: Player?
        do {
            let player = Player()
            gone = player
            player.objectWillChange.send()
        }
        #expect(gone == nil)
    }

    @Test func aSubscriberGetsThePresentValueFirst() {
        let player = Player()
        player.level = 7
        var values: [Int] = []
        let end = player.$level.sink { values.append($0) }
        #expect(values == [7])
        end.cancel()
    }

    @Test func aPropertyFollowsAPublisherAsLongAsItLives() {
        let subject = PassthroughSubject<Int, Never>()
        weak var gone: Player?
        do {
            let player = Player()
            gone = player
            var count = 0
            let end = player.objectWillChange.sink { count += 1 }
            subject.assign(to: &player.$level)
            subject.send(5)
            #expect(player.level == 5 && count == 1)
            end.cancel()
        }
        subject.send(6)
        #expect(gone == nil)
    }

    @Test func aPropertyOfAnObjectIsAssignedUntilTheEnd() {
        let (subject, player) = (PassthroughSubject<Int, Never>(), Player())
        let end = subject.assign(to: \.other, on: player)
        subject.send(5)
        end.cancel()
        subject.send(6)
        #expect(player.other == 5)
    }

    @MainActor private final class Screen: ObservableObject {
        @Published var title = "a"
    }

    @Test @MainActor func anObjectOfTheMainActorTellsItsChanges() {
        let screen = Screen()
        var titles: [String] = []
        let end = screen.$title.sink { titles.append($0) }
        screen.title = "b"
        #expect(titles == ["a", "b"] && screen.title == "b")
        end.cancel()
    }
}
