// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A native unit with an object of its own: each instance has one, with its own texts. Test thread.

import AudioUnits
import ControlMessages
import Testing
import Wire

@testable import PluginSDK

/// Keeps one text, and refuses an empty one.
private final class Keeper: NativeUnit {
    let description = UnitDescription(
        ComponentDescription(.effect, "keep", "test"), name: "Keeper", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0))
    let parameters = ParameterTree()
    let texts = [TextProperty("word", name: "Word", kind: .text)]
    private(set) var textValues: [String: String] = [:]

    init() {}

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox { throw .formatRefused("it renders nothing") }

    func setText(_ identifier: String, to value: String) throws(UnitError) {
        guard !value.isEmpty else { throw .failed("the word is missing") }
        textValues[identifier] = value
    }
}

@Suite struct NativeUnitTests {
    private func texts(of unit: UnitInstance) throws -> [String: String] {
        guard case .state(let state) = unit.handle(.saveState) else {
            Issue.record("It told no state.")
            return [:]
        }
        return state.texts
    }

    @Test func eachInstanceHasTextsOfItsOwn() throws {
        let (first, second) = (UnitInstance(.native(Keeper.self)), UnitInstance(.native(Keeper.self)))
        #expect(first.handle(.setText(identifier: "word", value: "yes")) == .done)
        #expect(try texts(of: first) == ["word": "yes"])
        #expect(try texts(of: second).isEmpty)
    }

    @Test func itsStateGoesToAnotherInstance() throws {
        let (first, second) = (UnitInstance(.native(Keeper.self)), UnitInstance(.native(Keeper.self)))
        _ = first.handle(.setText(identifier: "word", value: "yes"))
        guard case .state(let state) = first.handle(.saveState) else {
            Issue.record("It told no state.")
            return
        }
        _ = second.handle(.restoreState(state))
        #expect(try texts(of: second) == ["word": "yes"])
    }

    @Test func aTextThatItRefusesOrDoesNotHaveIsRefused() throws {
        let unit = UnitInstance(.native(Keeper.self))
        for (identifier, value) in [("word", ""), ("other", "yes")] {
            guard case .refused = unit.handle(.setText(identifier: identifier, value: value)) else {
                Issue.record("It took \(identifier).")
                return
            }
        }
        #expect(try texts(of: unit).isEmpty)
    }

    @Test func theLibraryHoldsOneUnitAndListsIt() throws {
        let library = UnitLibrary.native(Keeper.self)
        #expect(library.description.name == "Keeper")
        #expect(try library.units(at: "anywhere").units.map(\.description.name) == ["Keeper"])
        #expect(throws: UnitError.self) { try library.definition(at: ["another"]) }
    }
}
