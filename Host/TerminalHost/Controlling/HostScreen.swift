// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows the screen of a host on this terminal until the user leaves. Main thread.

import Console
import Control
import LinuxSystem
import Screen

/// The screen of a host.
enum HostScreen {
    /// Shows the screen until the user leaves or the host ends.
    static func show(_ address: ControlAddress, ownsHost: Bool) throws {
        let terminal: TerminalScreen
        do throws(ScreenObstacle) { terminal = try TerminalScreen() } catch {
            throw CommandError.failed("\(error.description) Try bulkhead ctl status, or --plain.")
        }
        let client = try ScreenClient(address)
        client.colorCount = terminal.kind.viewColorCount
        let wakeUp = try EventDescriptor()
        Interruption.tell(wakeUp.bell)
        defer { Interruption.tell(.none) }
        let loop = ScreenLoop(terminal, client, ownsHost: ownsHost, wakeUp: wakeUp) { Interruption.isRequested }
        switch loop.run() {
        case .left: break
        case .hostEnded: if !ownsHost { Terminal.print("The host \"\(address.name)\" has ended.") }
        case .interrupted: try Interruption.check("The screen was closed by a signal.")
        case .terminalGone: throw CommandError.failed("The terminal is gone.")
        }
    }

    /// Shows a list of hosts until the user chooses one; nil if the user chooses none.
    static func choose(on terminal: TerminalScreen) throws -> ControlAddress? {
        let wakeUp = try EventDescriptor()
        Interruption.tell(wakeUp.bell)
        defer { Interruption.tell(.none) }
        let chooser = HostChooser(terminal, wakeUp: wakeUp) {
            Interruption.isRequested
        } running: {
            (try? ControlAddress.running()) ?? []
        }
        switch chooser.run() {
        case .host(let address): return address
        case .left: return nil
        case .interrupted: try Interruption.check("The list of hosts was closed by a signal.")
        case .terminalGone: throw CommandError.failed("The terminal is gone.")
        }
        return nil
    }
}
