// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of a unit by §21 of the protocol: its picture, its answers, its size, its end. Thread of the case.

import AudioUnits
import Cells
import ControlMessages
import PluginHosting
import RawHosting
import ViewChannel

/// A unit that declares a view opens it, draws it, and closes it.
struct ViewCase: ValidationCase {
    static let name = "protocol-view"
    static let summary = "its view is drawn, answers, follows its size, closes, and opens again"
    static var patience: Double { 3 }

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        guard bench.welcome.description.flags.contains(.hasView) else { throw .notApplicable("It has no view.") }
        let probe = ViewProbe(bench: bench)
        let first = try checkPicture(probe)
        let second = try checkFurtherOpening(probe, first)
        try checkClosing(probe, second)
    }

    /// Opens a view, and makes it draw, answer, and draw in another size.
    private static func checkPicture(_ probe: ViewProbe) throws(CaseEnd) -> HandWiredView {
        let (size, other) = (ViewSize(columnCount: 40, rowCount: 10), ViewSize(columnCount: 61, rowCount: 7))
        let view = try probe.open(size, "opening its view")
        try probe.requireAnswer(view, 1)
        probe.doing("taking keys and the mouse in its view")
        view.tell(.focus(true))
        view.tell(.mouse(.press, column: 20, row: 5, []))
        // The position is one cell beyond each edge.
        view.tell(.mouse(.drag, column: 40, row: 10, []))
        view.tell(.mouse(.drag, column: -1, row: -1, []))
        view.tell(.mouse(.release, column: 20, row: 5, []))
        view.tell(.key(.down, [.shift]))
        try probe.requireAnswer(view, 2)
        try probe.requireValues(view)
        probe.doing("changing the size of its view")
        let drawnCount = view.drawnCount
        view.tell(.size(other, colorCount: 0))
        try probe.requirePicture(view, other, beyond: drawnCount)
        return view
    }

    /// Checks that a further opening replaces the first one.
    private static func checkFurtherOpening(_ probe: ViewProbe, _ former: HandWiredView) throws(CaseEnd) -> HandWiredView {
        let view = try probe.open(ViewSize(columnCount: 30, rowCount: 8), "opening its view a second time, with the first one open")
        guard !former.waits(milliseconds: ViewProbe.milliseconds, until: \.isHungUp) else { return view }
        throw .failed(
            "After a further `openView` the channel of its former view is still open \(ViewProbe.milliseconds) ms later; §21 has the unit close it: shut it down and close it, once the new view is there."
        )
    }

    /// Checks that a view ends when it is hung up, and that another one can be opened.
    private static func checkClosing(_ probe: ViewProbe, _ view: HandWiredView) throws(CaseEnd) {
        probe.doing("closing its view")
        let isSeen = probe.maps(view) == true
        if !isSeen {
            probe.bench.trial.remark(
                "The list of its mappings cannot be read here, so it was not checked whether it unmaps its view.")
        }
        view.hangUp()
        let isUnmapped = view.waits(milliseconds: ViewProbe.milliseconds) { _ in probe.maps(view) != true }
        guard isUnmapped || !isSeen else {
            throw .failed(
                "It still has the memory of its view mapped \(ViewProbe.milliseconds) ms after the host has hung up; §21 has it end the view's thread and unmap the memory: do so as soon as a read of the view's channel yields no bytes."
            )
        }
        _ = try probe.open(ViewSize(columnCount: 50, rowCount: 12), "opening its view again, after it was closed")
    }
}
