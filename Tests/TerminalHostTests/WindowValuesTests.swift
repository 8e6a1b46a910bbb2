// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a host and of a window are brought together without echoes. Test thread.

import Control
import JSON
import Testing

@testable import TerminalHost

@Suite struct WindowValuesTests {
    private static let rest = WindowValues.restNanoseconds

    private func values() -> WindowValues {
        var values = WindowValues()
        values.take(
            parameters: .list([row("U.level", 2, 1), row("U.meter", 3, 0, isReadOnly: true), row("U.property", 4_294_967_296, 1)]))
        return values
    }

    private func row(_ path: String, _ address: Double, _ value: Double, isReadOnly: Bool = false) -> JSONValue {
        .object([
            "path": .text(path), "address": .number(address), "value": .number(value), "minimum": .number(0),
            "maximum": .number(10), "isReadOnly": .flag(isReadOnly),
        ])
    }

    private func settings(_ values: inout WindowValues, from first: Int = 1) -> [String] {
        var last = first - 1
        return values.settings {
            last += 1
            return last
        }.map { "\($0.request) \($0.path) \($0.value)" }
    }

    private func news(_ values: WindowValues, at now: UInt64) -> [String] {
        values.news(at: now).sorted { $0.port < $1.port }.map { "\($0.port) \($0.value)" }
    }

    @Test func aNewWindowIsToldAllPortsOnce() {
        var values = values()
        #expect(news(values, at: 0) == ["2 1.0", "3 0.0"])
        values.told(2, 1)
        values.told(3, 0)
        #expect(news(values, at: 0).isEmpty)
        values.take(value: 5, of: "U.level")
        #expect(news(values, at: Self.rest) == ["2 5.0"])
    }

    @Test func whatTheWindowSetsBeforeTheHostHasToldItsParametersIsKept() {
        var values = WindowValues()
        values.take(windowValue: 2, of: 2, at: 1)
        values.take(windowValue: 3, of: 2, at: 2)
        values.take(windowValue: 3, of: 9, at: 2)
        #expect(settings(&values).isEmpty)
        values.take(parameters: .list([row("U.level", 2, 1)]))
        #expect(settings(&values) == ["1 U.level 3.0"])
    }

    @Test func ofManySettingsTheLastOneFollowsTheAnswerToTheFirst() {
        var values = values()
        values.take(windowValue: 2, of: 2, at: 1)
        #expect(settings(&values) == ["1 U.level 2.0"])
        for value in [3.0, 4, 5] { values.take(windowValue: value, of: 2, at: 2) }
        #expect(settings(&values, from: 2).isEmpty)
        values.take(answer: 2, to: 1)
        #expect(settings(&values, from: 2) == ["2 U.level 5.0"])
    }

    @Test func whatTheWindowSetsIsNotToldToItUnlessTheHostHasAnotherValue() {
        var values = values()
        values.take(windowValue: 2, of: 2, at: 1)
        _ = settings(&values)
        values.take(answer: 2, to: 1)
        values.told(3, 0)
        #expect(news(values, at: 1 + Self.rest).isEmpty)
        // An older value that arrives late does not move the knob under the hand.
        values.take(value: 1.5, of: "U.level")
        #expect(news(values, at: Self.rest).isEmpty)
        #expect(news(values, at: 1 + Self.rest) == ["2 1.5"])
    }

    @Test func aValueThatTheHostRefusesGoesBack() {
        var values = values()
        values.told(2, 1)
        values.told(3, 0)
        values.take(windowValue: 2, of: 2, at: 1)
        _ = settings(&values)
        values.take(answer: nil, to: 1)
        #expect(news(values, at: 1 + Self.rest) == ["2 1.0"])
    }

    @Test func valuesAreKeptInTheirRangeAndMetersCannotBeSet() {
        var values = values()
        values.take(windowValue: 99, of: 2, at: 1)
        values.take(windowValue: 1, of: 3, at: 1)
        values.take(windowValue: 1, of: 77, at: 1)
        #expect(settings(&values) == ["1 U.level 10.0"])
    }

    @Test func aRecordIsReadAsItWasWrittenAndNonsenseIsNot() {
        let records: [WindowRecord] = [
            .value(port: 7, 0.25), .alive(number: 9), .opened, .refused("because"), .closed, .leftOut,
        ]
        for record in records { #expect(WindowRecord(record.bytes[...]) == record) }
        #expect(WindowRecord([1, 0, 0]) == nil)
        #expect(WindowRecord([UInt8](repeating: 255, count: 16)[...]) == nil)
        #expect(WindowRecord(WindowRecord.value(port: 1, .nan).bytes[...]) == nil)
    }
}
