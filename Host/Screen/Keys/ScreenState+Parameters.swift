// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles keys for the parameters of the chosen node. The screen's thread.

import Control

extension ScreenState {
    /// A step of an arrow, in thousandths of the range.
    private static let step = 20
    private static let fineStep = 2
    private static let coarseStep = 100

    mutating func handleInParameters(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction] {
        switch key {
        case .up, .character("k"): parameter -= 1
        case .down, .character("j"): parameter += 1
        case .pageUp: parameter -= 10
        case .pageDown: parameter += 10
        case .escape: focus = .chain
        case .left: return step(-Self.step, model)
        case .right: return step(Self.step, model)
        case .shiftLeft, .character("["): return step(-Self.fineStep, model)
        case .shiftRight, .character("]"): return step(Self.fineStep, model)
        case .character("{"): return step(-Self.coarseStep, model)
        case .character("}"): return step(Self.coarseStep, model)
        case .home: return set(\.minimum, model)
        case .end: return set(\.maximum, model)
        case .delete, .backspace: return set(\.defaultValue, model)
        case .enter, .character(" "): return press(model)
        case .character(let digit) where ("0"..."9").contains(digit) || digit == "-" || digit == "." || digit == "+":
            guard let parameter = settable(model) else { return [] }
            dialog = ScreenDialog(.value(path: parameter.path), text: String(digit))
        default: break
        }
        return []
    }

    private func settable(_ model: ScreenModel) -> ScreenParameter? {
        chosen(model).flatMap { $0.isReadOnly ? nil : $0 }
    }

    func step(_ thousandths: Int, _ model: ScreenModel) -> [ScreenAction] {
        settable(model).map { [.set(path: $0.path, value: .number($0.value(movedBy: thousandths)))] } ?? []
    }

    private func set(_ value: KeyPath<ScreenParameter, Double>, _ model: ScreenModel) -> [ScreenAction] {
        settable(model).map { [.set(path: $0.path, value: .number($0[keyPath: value]))] } ?? []
    }

    /// Flips a switch, opens a list, or starts to type a value.
    mutating func press(_ model: ScreenModel) -> [ScreenAction] {
        guard let parameter = settable(model) else { return [] }
        if parameter.isSwitch {
            let flipped = parameter.value > parameter.minimum ? parameter.minimum : parameter.maximum
            return [.set(path: parameter.path, value: .number(flipped))]
        }
        return open(parameter.isList ? .choices(path: parameter.path) : .value(path: parameter.path), model)
    }
}
