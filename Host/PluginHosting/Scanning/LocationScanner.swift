// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks a bridge for the plug-ins of a location, in a process that ends afterwards. Scan threads.

import AudioUnits
import Confinement
import ControlMessages
import LinuxSystem
import Printing

/// Asks one process about one location.
struct LocationScanner: Sendable {
    /// The most milliseconds of a process for one location.
    let timeoutMilliseconds: Int32

    /// The outcome for one location.
    ///
    /// `started` gets the process, so that the caller can end it when the answer is no longer needed.
    func outcome(of location: ScanLocation, started: (ChildProcess) -> Void) -> ScanOutcome {
        do throws(HostingError) {
            try HostConfiguration.checkConfinement()
        } catch {
            return .unasked("confinement is incomplete on this machine")
        }
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(
                executable: location.bridgePath,
                confinement: Component.confinement(ofBridge: location.bridgePath, scanning: location.path, format: location.format),
                isQuiet: true)
        } catch {
            return .unasked("its bridge \(error)")
        }
        started(connection.child)
        // Processes that it started end with it, before the answer counts.
        defer { _ = connection.child.kill() }
        do throws(PluginFault) {
            let answer = try connection.ask(
                .listUnits(location: location.path), descriptors: [], timeoutMilliseconds: timeoutMilliseconds)
            switch answer {
            case .units(let listing): return .listing(ListingCheck.checked(listing, of: location))
            case .refused(let reason): return .failure(PrintableText.cleaned(reason))
            default: return .failure("what answers for it broke the protocol")
            }
        } catch {
            return .failure(Self.reason(error))
        }
    }

    /// Explains to the user why a process gave no answer.
    static func reason(_ fault: PluginFault) -> String {
        switch fault {
        case .unanswered(let milliseconds): "the process that loads it did not answer within \(milliseconds) ms"
        default: "the process that loads it \(fault)"
        }
    }
}
