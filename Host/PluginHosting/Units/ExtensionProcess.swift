// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of an extension with its control channel, before any message. Control threads.

import Confinement
import ControlMessages
import Glibc
import LinuxSystem

/// `[control]` An extension that has been started and not greeted.
package struct ExtensionProcess: Sendable {
    /// The process.
    package let child: ChildProcess
    /// The channel over descriptor 3; the end of the process counts as a hang-up.
    package let channel: ControlChannel

    /// Starts an executable, confined or not; with `isQuiet` its output is discarded.
    ///
    /// Throws `notStarted`.
    init(
        executable: String, confinement: Confinement?, adding addition: ExtensionAddition? = nil, isQuiet: Bool = false
    ) throws(PluginFault) {
        var confinement = confinement
        confinement?.paths += addition?.libraries.map { Confinement.NamedPath($0, .read) } ?? []
        let environment = Self.environment(confinement).merging(addition?.environment ?? [:]) { $1 }
        do throws(SystemError) {
            let (own, peer) = try ControlSocket.pair()
            child = try ChildProcess(
                path: FilePath.resolved(executable) ?? executable, arguments: [], environment: environment, control: peer,
                lending: addition?.memory.descriptor ?? -1, isQuiet: isQuiet, confinement: confinement)
            channel = ControlChannel(own, peerPidfd: child.pidfd)
        } catch {
            throw .notStarted(error.reason, code: error.code)
        }
    }

    /// The environment of a plug-in: enough for a locale and its runtime, nothing about the session.
    private static func environment(_ confinement: Confinement?) -> [String: String] {
        // A plug-in that crashes must end at once: no backtrace, and no search for the program that would make one.
        var passed = ["SWIFT_BACKTRACE": "enable=no,swift-backtrace=/"]
        // Some plug-ins start Qt though they only make sound, and Qt ends a process that finds no display.
        passed["QT_QPA_PLATFORM"] = "offscreen"
        passed[ChildProcess.quickSwitches.name] = ChildProcess.quickSwitches.value
        let names = [
            "PATH", "LANG", "LC_ALL", "HOME", "LD_LIBRARY_PATH", "LADSPA_PATH", "LADSPA_RDF_PATH", "LV2_PATH",
            "RTSAN_OPTIONS", "TSAN_OPTIONS", "ASAN_OPTIONS",
        ]
        for name in names {
            if let value = getenv(name) { passed[name] = String(cString: value) }
        }
        // A confined process starts in the root folder: relative paths become absolute.
        for name in ["LD_LIBRARY_PATH", "LADSPA_PATH", "LADSPA_RDF_PATH", "LV2_PATH"] where confinement != nil {
            guard let folders = passed[name]?.split(separator: ":") else { continue }
            passed[name] = folders.map { $0.hasPrefix("~") ? String($0) : FilePath.absolute(String($0)) }.joined(separator: ":")
        }
        if confinement == nil { passed["TMPDIR"] = getenv("TMPDIR").map { String(cString: $0) } }
        return passed
    }
}

extension Component {
    /// `[control]` Starts the plug-in's process as for a unit, for a caller that speaks the protocol by itself.
    ///
    /// Throws `fault` and `incompleteConfinement`.
    package func startProcess() throws(HostingError) -> ExtensionProcess {
        let confinement = confinement()
        if confinement != nil { try HostConfiguration.checkConfinement() }
        do throws(PluginFault) {
            let process = try ExtensionProcess(executable: executablePath, confinement: confinement)
            OutputReader.shared.follow(process.child, as: name)
            return process
        } catch {
            throw .fault(unit: name, act: "start", error)
        }
    }
}
