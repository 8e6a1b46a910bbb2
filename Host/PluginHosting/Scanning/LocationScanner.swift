// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks a bridge, in a process that is thrown away, what a place holds. Scan threads.

import AudioUnits
import Confinement
import ControlMessages
import LinuxSystem

/// One question to one process.
struct LocationScanner: Sendable {
    /// How long a process may take for one place.
    let timeoutMilliseconds: Int32

    /// `started` gets the process, to end it when nobody wants the answer any more.
    func outcome(of place: ScanLocation, started: (ChildProcess) -> Void) -> ScanOutcome {
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(
                executable: place.bridgePath,
                confinement: Component.confinement(ofBridge: place.bridgePath, scanning: place.path, format: place.format),
                isQuiet: true)
        } catch {
            return .unasked("its bridge \(error)")
        }
        started(connection.child)
        // What the process has started in its turn goes with it, before the answer counts.
        defer { _ = connection.child.kill() }
        do throws(PluginFault) {
            let answer = try connection.ask(
                .listUnits(place: place.path), descriptors: [], timeoutMilliseconds: timeoutMilliseconds)
            switch answer {
            case .units(let listing): return .listing(ListingCheck.checked(listing, of: place))
            case .refused(let reason): return .failure(PrintableText.cleaned(reason))
            default: return .failure("what answers for it broke the protocol")
            }
        } catch {
            return .failure(Self.reason(error))
        }
    }

    private static func reason(_ fault: PluginFault) -> String {
        switch fault {
        case .unanswered(let milliseconds): "whoever loads it says nothing for \(milliseconds) ms"
        default: "whoever loads it \(fault)"
        }
    }
}
