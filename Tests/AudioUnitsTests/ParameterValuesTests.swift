// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Live values and their observers. Test thread.

import AudioUnits
import Synchronization
import Testing

/// What observers were told.
private final class Heard: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
}

@Suite struct ParameterValuesTests {
    private let values = ParameterValues(
        tree: ParameterTree(
            Parameter("a", name: "A", address: 1, range: 0...1, default: 0.5),
            Parameter("b", name: "B", address: 2, range: -10...10, default: 3)))

    @Test func valuesBeginAtTheirDefaults() {
        #expect(values.byKeyPath == ["a": 0.5, "b": 3])
        #expect(values[1] == 0.5 && values[99] == nil)
    }

    @Test func everyObserverIsToldOfEveryChange() throws {
        let heard = Heard()
        _ = values.addObserver { heard.add("one \($0) \($1)") }
        _ = values.addObserver { heard.add("two \($0) \($1)") }
        try values.set(2, to: 7)
        #expect(heard.all.sorted() == ["one 2 7.0", "two 2 7.0"])
    }

    @Test func theOriginatorIsNotTold() throws {
        let heard = Heard()
        let slider = values.addObserver { heard.add("slider \($0) \($1)") }
        _ = values.addObserver { heard.add("recorder \($0) \($1)") }
        try values.set(1, to: 1, originator: slider)
        #expect(heard.all == ["recorder 1 1.0"])
        try values.set(1, to: 0)
        #expect(heard.all.count == 3)
    }

    @Test func whoStopsObservingHearsNothingMore() throws {
        let heard = Heard()
        let token = values.addObserver { heard.add("\($0) \($1)") }
        values.removeObserver(token)
        try values.set(1, to: 1)
        #expect(heard.all.isEmpty)
        values.removeObserver(token)
    }

    @Test func valuesOutOfRangeAndUnknownAddressesChangeNothing() {
        let heard = Heard()
        _ = values.addObserver { heard.add("\($0) \($1)") }
        for value in [-0.001, 1.001, .nan, .infinity] {
            #expect(throws: UnitError.self) { try values.set(1, to: value) }
        }
        #expect(throws: UnitError.unknownParameter("address 99")) { try values.set(99, to: 0) }
        #expect(values.byKeyPath == ["a": 0.5, "b": 3])
        #expect(heard.all.isEmpty)
    }

    @Test func anObserverMaySetValuesItself() throws {
        let heard = Heard()
        let follower = Mutex<ParameterObserverToken?>(nil)
        let token = values.addObserver { [values] address, value in
            if address == 1 { try? values.set(2, to: value, originator: follower.withLock { $0 }) }
        }
        follower.withLock { $0 = token }
        _ = values.addObserver { heard.add("\($0) \($1)") }
        try values.set(1, to: 0.25)
        #expect(values[2] == 0.25)
        #expect(heard.all.sorted() == ["1 0.25", "2 0.25"])
    }
}
