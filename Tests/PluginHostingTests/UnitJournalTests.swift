// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a unit's journal keeps and what it drops, without a unit.

import ControlMessages
import Testing

@testable import PluginHosting

@Suite struct UnitJournalTests {
    private func settings(_ values: ClosedRange<Int>) -> [ParameterSetting] {
        values.map { ParameterSetting(address: UInt64($0 % 3), value: Double($0)) }
    }

    private func record(_ values: ClosedRange<Int>, in journal: UnitJournal) {
        for setting in settings(values) { journal.record(setting.address, setting.value) }
    }

    @Test func aChangeIsDroppedByTheSecondSnapshotThatFindsIt() {
        let journal = UnitJournal()
        record(1...3, in: journal)
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        // It may not have been rendered when the state was requested.
        #expect(journal.changes == settings(1...3) && journal.isDirty)
        record(4...5, in: journal)
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        #expect(journal.changes == settings(4...5) && journal.isDirty)
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        #expect(journal.changes.isEmpty && !journal.isDirty)
    }

    @Test func aChangeThatComesWhileTheUnitIsAskedIsKept() {
        let journal = UnitJournal()
        for _ in 0..<2 {
            record(1...1, in: journal)
            journal.snapshot(
                ask: {
                    record(2...2, in: journal)
                    return 0
                }, keep: { _ in true })
        }
        #expect(journal.changes == [2, 1, 2].map { ParameterSetting(address: UInt64($0 % 3), value: Double($0)) })
        #expect(journal.isDirty)
    }

    @Test func aSnapshotThatFailsDropsNothing() {
        let journal = UnitJournal()
        record(1...3, in: journal)
        journal.snapshot(ask: { Int?.none }, keep: { _ in true })
        journal.snapshot(ask: { 0 }, keep: { _ in false })
        #expect(journal.changes == settings(1...3) && journal.isDirty)
    }

    @Test func aSnapshotFromBeforeAWholeStateIsNotKept() {
        let journal = UnitJournal()
        record(1...3, in: journal)
        var isKept = false
        journal.snapshot(
            ask: {
                journal.replace()
                return 0
            },
            keep: { _ in
                isKept = true
                return true
            })
        #expect(!isKept && journal.changes.isEmpty)
    }

    @Test func ofVeryManyChangesTheLastOfEachParameterAreKept() {
        let journal = UnitJournal()
        record(1...UnitJournal.capacity, in: journal)
        #expect(journal.changes.count == UnitJournal.capacity)
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        record(UnitJournal.capacity + 1...UnitJournal.capacity + 1, in: journal)
        #expect(journal.changes == settings(UnitJournal.capacity - 1...UnitJournal.capacity + 1))
        // It is unknown whether the snapshot before contained them.
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        #expect(journal.changes.count == 3)
        journal.snapshot(ask: { 0 }, keep: { _ in true })
        #expect(journal.changes.isEmpty)
    }
}
