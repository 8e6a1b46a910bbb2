// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units of systemd that start a chain again: their names, their text and their files. Main thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// A service of the user's systemd that plays a chain, and the socket that starts it.
struct ServiceUnit {
    /// The name of the node and of the host.
    let name: String
    /// The options of `bulkhead live` after `--resume --name NAME`.
    let options: [String]
    /// True if the first client starts the host, instead of the login.
    let isOnDemand: Bool
    var executable = OwnExecutable.path

    var service: String { "bulkhead-\(name).service" }
    var socket: String { "bulkhead-\(name).socket" }

    /// The unit that starts with the session: the socket, or the service itself.
    var entrance: String { isOnDemand ? socket : service }

    /// The files with their names, in the order in which they are shown.
    var files: [(name: String, text: String)] {
        [(service, serviceText)] + (isOnDemand ? [(socket, socketText)] : [])
    }

    private var serviceText: String {
        let words = [executable, "live", "--resume", "--name", name] + options
        return """
            [Unit]
            Description=Bulkhead plays the chain "\(name)"
            After=pipewire.service wireplumber.service
            Wants=pipewire.service wireplumber.service
            \(startLimit)

            [Service]
            Type=notify
            ExecStart=\(words.map(Self.quoted).joined(separator: " "))
            Restart=on-failure
            RestartSec=5
            # Arguments that make no sense do not get better.
            RestartPreventExitStatus=2
            SuccessExitStatus=130 143
            WatchdogSec=30
            TimeoutStopSec=10
            KillMode=mixed

            """ + (isOnDemand ? "" : "\n[Install]\nWantedBy=default.target\n")
    }

    // A device or PipeWire may come after minutes. But a waiting client would restart a host that fails at once again and again.
    private var startLimit: String { isOnDemand ? "StartLimitIntervalSec=60\nStartLimitBurst=10" : "StartLimitIntervalSec=0" }

    private var socketText: String {
        """
        [Unit]
        Description=The control socket of Bulkhead's chain "\(name)"

        [Socket]
        ListenStream=%t/bulkhead/\(name).sock
        SocketMode=0600
        DirectoryMode=0700
        RemoveOnStop=yes
        FlushPending=yes

        [Install]
        WantedBy=sockets.target

        """
    }

    /// A word in systemd's syntax: in quotes, and without variables or specifiers.
    static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "/-_.:,".unicodeScalars.contains($0))
        }
        if isPlain, !word.isEmpty { return word }
        var text = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "$": text += "$$"
            case "%": text += "%%"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// The folder of the user's units; nil without a home folder.
    static var folder: String? {
        let environment = ProcessInfo.processInfo.environment
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }).map { "\($0)/systemd/user" }
    }
}
