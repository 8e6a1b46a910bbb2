// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets the user choose one of several hosts on a terminal, in a dialog like those of the screen. Main thread.

import Cells
import Control
import JSON
import LinuxSystem

/// The result of a choice.
package enum HostChoice: Hashable, Sendable {
    case host(ControlAddress)
    /// The user chose none of them.
    case left
    /// A signal requests the end of the program.
    case interrupted
    /// The terminal is gone.
    case terminalGone
}

/// A list of the hosts that play.
package final class HostChooser {
    private let loop: PictureLoop
    private let running: () -> [ControlAddress]
    private var model = ScreenModel()
    private var state = ScreenState()
    /// The hosts in the order of the list; each one reports the sound that it plays.
    private var hosts: [(address: ControlAddress, stream: ControlStream?)] = []
    private var nextLook = 0.0
    private var choice: HostChoice?

    /// The seconds between two searches for hosts.
    private static let lookSeconds = 1.0

    /// Makes a list on a terminal; `wakeUp` rings when `isInterrupted` may have changed, and `running` finds the hosts.
    package init(
        _ terminal: TerminalScreen, wakeUp: EventDescriptor, isInterrupted: @escaping () -> Bool,
        running: @escaping () -> [ControlAddress]
    ) {
        (loop, self.running) = (PictureLoop(terminal, wakeUp: wakeUp, isInterrupted: isInterrupted), running)
        state.dialog = ScreenDialog(.hosts)
    }

    /// Shows the list until the user has chosen; the terminal is then as it was before.
    package func run() -> HostChoice {
        let end = loop.run(resized: resize, handle: handle, draw: draw, look: look)
        switch end {
        case .interrupted: return .interrupted
        case .terminalGone: return .terminalGone
        case .left, .hostEnded: return choice ?? .left
        }
    }

    private func resize() { (state.columnCount, state.rowCount) = (loop.columnCount, loop.rowCount) }

    /// Handles a key; false if the list must close.
    private func handle(_ key: ScreenKey) -> Bool {
        for case .attach(let name) in state.handle(key, model) {
            choice = hosts.first { $0.address.name == name }.map { .host($0.address) }
        }
        return choice == nil && state.dialog != nil
    }

    private func draw(_ grid: inout CellGrid) { ScreenPainter.drawDialog(model, state, into: &grid) }

    /// Finds hosts that have come or gone, and reads their reports; true if the list has changed.
    private func look() -> Bool {
        let former = model.hosts
        if ScreenClient.now >= nextLook {
            nextLook = ScreenClient.now + Self.lookSeconds
            find()
        }
        for (index, host) in hosts.enumerated() {
            guard let stream = host.stream, !stream.isClosed else { continue }
            stream.write()
            for told in stream.read().compactMap(JSONValue.init(json:)) where told["id"] != nil {
                var heard = ScreenModel()
                heard.take(status: told["result"] ?? .null)
                model.hosts[index].units = heard.units.map(\.id)
            }
        }
        return model.hosts != former
    }

    private func find() {
        let addresses = running()
        guard addresses != hosts.map(\.address) else { return }
        let chosen = state.dialog.flatMap { model.hosts.indices.contains($0.index) ? model.hosts[$0.index].name : nil }
        let known = model.hosts
        hosts = addresses.map { address in
            if let former = hosts.first(where: { $0.address == address }) { return former }
            let stream = try? ControlStream(address)
            stream?.request(1, "status", [:])
            return (address, stream)
        }
        model.hosts = addresses.map { address in known.first { $0.name == address.name } ?? ScreenHost(name: address.name) }
        // The choice stays with its host.
        if let place = model.hosts.firstIndex(where: { $0.name == chosen }) { state.dialog?.index = place }
        state.settle(model)
    }
}
