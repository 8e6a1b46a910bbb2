// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A system bus with the real rtkit on it, for this test alone. Root.

import Foundation
import Glibc
import LinuxSystem
import Testing

/// A message bus, polkit, which lets everybody have what rtkit gives, and rtkit; mounted and started in a mount namespace of their own.
final class PrivateSystemBus {
    private static let programs = ["/usr/lib/polkit-1/polkitd", "/usr/libexec/rtkit-daemon"]
    /// rtkit gives away what root may do; in a container that may be nothing.
    static var canBeHad: Bool {
        geteuid() == 0 && RealtimeRights().highestPriority > 0 && programs.allSatisfy { access($0, X_OK) == 0 }
    }

    private let folder: String
    private let process = Process()
    /// What clients of the system's bus have to find in their environment.
    var address: String { "unix:path=\(folder)/socket" }

    /// A bus without rtkit is one where nobody is given a rank.
    init(hasRealtimeKit: Bool) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-bus-\(UUID().uuidString)").path
        let rules = "\(folder)/rules"
        try FileManager.default.createDirectory(atPath: rules, withIntermediateDirectories: true)
        // Its owner may be a stranger to polkitd, which is a user of its own.
        chmod(folder, 0o755)
        chmod(rules, 0o755)
        try Self.rule.write(toFile: "\(rules)/10.rules", atomically: true, encoding: .utf8)
        try configuration.write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        // Its limits on itself would count with another rtkit on this machine. It gives three ranks in five seconds.
        let options = "--no-limit-resources --actions-burst-sec=5 --actions-per-burst-max=3"
        let services = hasRealtimeKit ? [Self.programs[0], "\(Self.programs[1]) \(options)"] : []
        process.arguments = ["--mount", "sh", "-c", Self.script, "sh", folder] + services
        process.environment = ProcessInfo.processInfo.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let folder = folder
        try #require(eventually(within: 20) { FileManager.default.fileExists(atPath: "\(folder)/ready") })
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static let rule = """
        polkit.addRule(function(action, subject) {
            if (action.id.indexOf("org.freedesktop.RealtimeKit1.") == 0) return polkit.Result.YES;
        });
        """

    private var configuration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }

    /// The folder, and the services to start.
    private static let script = """
        folder=$1; shift
        trap 'kill $children; wait; exit' TERM
        mount --bind "$folder/rules" /etc/polkit-1/rules.d
        dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile & children=$!
        until [ -S "$folder/socket" ]; do sleep 0.05; done
        for service; do $service & children="$children $!"; done
        for name in ${1:+org.freedesktop.PolicyKit1 org.freedesktop.RealtimeKit1}; do
            until dbus-send --system --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \\
                org.freedesktop.DBus.NameHasOwner string:$name | grep -q true; do sleep 0.1; done
        done
        touch "$folder/ready"
        wait
        """
}
