// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Opens views of a unit by hand, and waits for their pictures and messages. Thread of the case.

import AudioUnits
import Cells
import FoundationEssentials
import PluginHosting
import RawHosting
import ViewChannel

/// A unit with a view.
struct ViewProbe {
    /// The milliseconds within which a view draws and answers.
    static let milliseconds = 3000

    let bench: RawBench

    /// Sets the next act, as a phrase after "while".
    func doing(_ text: String) { bench.trial.doing(text) }

    /// Opens a view, sends it the values, and requires a picture.
    func open(_ size: ViewSize, _ act: String) throws(CaseEnd) -> HandWiredView {
        doing(act)
        let opened = try bench.trial.attemptByHand(bench.child) { () throws -> Result<HandWiredView, HandWiredUnit.Failure> in
            do {
                return .success(try HandWiredView(of: bench.unit, size: size))
            } catch let failure as HandWiredUnit.Failure {
                return .failure(failure)
            }
        }
        switch opened {
        case .failure(let failure):
            throw .failed(
                "\(failure), while \(act); §21 has a unit with flag 7 answer every `openView` with `viewOpened`: end the former view within 1000 ms, and open the new one."
            )
        case .success(let view):
            for (_, parameter) in bench.welcome.parameters.parameters
            where parameter.flags.isDisjoint(with: [.readOnly, .meter]) {
                view.tell(.value(address: parameter.address, parameter.defaultValue))
            }
            try requirePicture(view, size)
            return view
        }
    }

    /// Waits for a picture of this size and its message; `count` messages came before the size was sent.
    func requirePicture(_ view: HandWiredView, _ size: ViewSize, beyond count: Int = 0) throws(CaseEnd) {
        let act = bench.trial.activity.current
        if try waits(view, until: { $0.shows(size) || $0.impossibleSize != nil }), view.impossibleSize == nil {
            guard try !waits(view, until: { $0.drawnCount > count }) else { return }
            throw .failed(
                "It draws and does not say so, while \(act); §21 has it send `drawn` after each picture: send it, so that the host looks."
            )
        }
        if let size = view.impossibleSize {
            throw .failed(
                "It says that it has drawn \(size.columnCount) by \(size.rowCount) cells where there is room for \(HandWiredView.capacity), while \(act); §21 has it draw the size that the host says: look at `capacity`."
            )
        }
        guard let picture = view.picture else {
            throw .failed(
                "It draws nothing within \(Self.milliseconds) ms, while \(act); §21 has it draw when it has read `size`: write the cells, and make `generation` even."
            )
        }
        throw .failed(
            "It shows \(picture.columnCount) by \(picture.rowCount) cells \(Self.milliseconds) ms after a `size` of \(size.columnCount) by \(size.rowCount), while \(act); §21 has the view that size from then on: draw again when `size` comes."
        )
    }

    /// Sends `look`, and waits for the answer.
    func requireAnswer(_ view: HandWiredView, _ number: UInt32) throws(CaseEnd) {
        view.tell(.look(number))
        guard try !waits(view, until: { $0.notices.contains(.here(number)) }) else { return }
        throw .failed(
            "It does not answer `look` within \(Self.milliseconds) ms, while \(bench.trial.activity.current); §21 has it answer with `here` and the same a, and a host closes a view that does not: answer each at once."
        )
    }

    /// Requires that the unit's parameters accept all values that the view has set.
    func requireValues(_ view: HandWiredView) throws(CaseEnd) {
        let act = bench.trial.activity.current
        for case .set(let address, let value) in view.notices {
            guard let parameter = bench.welcome.parameters[address: address],
                parameter.flags.isDisjoint(with: [.readOnly, .meter])
            else {
                throw .failed(
                    "It sets a parameter with the address \(address), while \(act), and has none there that can be set; §21 has a host pass over that: send the address of a parameter."
                )
            }
            let range = parameter.accepted(sampleRate: bench.unit.shape.sampleRate)
            guard !range.contains(value) else { continue }
            throw .failed(
                "It sets \(parameter.name) to \(value), while \(act); §21 has a host pass over what is not in the range: bring it into \(range.lowerBound)…\(range.upperBound) before you send and show it."
            )
        }
    }

    /// Waits; a view that hangs up, or whose process ends, is a separate finding.
    private func waits(_ view: HandWiredView, until isReached: (HandWiredView) -> Bool) throws(CaseEnd) -> Bool {
        if view.waits(milliseconds: Self.milliseconds, until: isReached) { return true }
        let trial = bench.trial
        if let end = bench.child.wait(milliseconds: view.isHungUp ? 500 : 0) { throw CaseEnd(ended: end, trial) }
        guard view.isHungUp else { return false }
        throw .failed(
            "Its view hangs up, while \(trial.activity.current); §21 has the host close it: read on until the host hangs up.")
    }

    /// True if the unit's process has the memory of a view mapped; nil if that cannot be read.
    func maps(_ view: HandWiredView) -> Bool? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(bench.child.identifier)/maps"), !bytes.isEmpty else {
            return nil
        }
        let number = "\(view.memory.memory.fileNumber)"
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
            let fields = line.split(separator: " ", maxSplits: 5)
            return fields.count == 6 && fields[4] == number
        }
    }
}
