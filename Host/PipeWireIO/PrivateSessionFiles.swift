// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folder and the configuration of a private PipeWire session. Control thread.

import Glibc

/// A temporary folder with everything that the daemons read, so that they ignore the user's settings.
struct PrivateSessionFiles {
    let folder: String
    var socketPath: String { "\(folder)/pipewire-0" }
    var busPath: String { "\(folder)/bus" }
    var busConfiguration: String { "\(folder)/bus.conf" }
    func log(of program: String) -> String { "\(folder)/\(program).log" }

    /// Makes the folder in /tmp, not in TMPDIR, because the path of a socket has at most 107 bytes.
    init() throws(PipeWireError) {
        var template = Array("/tmp/bulkhead-pipewire-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .childFailed(name: "pipewire", reason: "no folder in /tmp: \(describe(errno))")
        }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func write(sinkName: String, channels: Int, rate: Int, quantum: Int?) throws(PipeWireError) {
        try write(bus, to: "bus.conf")
        let pipewire = Self.pipewire(sinkName: sinkName, channels: channels, rate: rate, quantum: quantum)
        try write(pipewire, to: "config/pipewire/pipewire.conf.d/bulkhead.conf")
        for (monitor, folder) in Self.monitors {
            // Each version of WirePlumber has only some of these monitors.
            let line = "if \(monitor) then \(monitor).enabled = false end\n"
            try write(line, to: "config/wireplumber/\(folder)/80-bulkhead-\(monitor).lua")
        }
        try write(Self.profile, to: "config/wireplumber/wireplumber.conf.d/bulkhead.conf")
    }

    private func write(_ text: String, to path: String) throws(PipeWireError) {
        let parts = path.split(separator: "/")
        for count in 1..<max(1, parts.count) { mkdir("\(folder)/\(parts.prefix(count).joined(separator: "/"))", 0o700) }
        guard let file = fopen("\(folder)/\(path)", "we") else {
            throw .childFailed(name: "pipewire", reason: "\"\(folder)/\(path)\": \(describe(errno))")
        }
        fputs(text, file)
        fclose(file)
    }

    /// The configuration of a bus without services; the stock session bus would start some on demand.
    private var bus: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(busPath)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }

    /// PipeWire's configuration.
    ///
    /// It permits small quanta even on a virtual machine, for which the stock file requires at least 1024 frames.
    private static func pipewire(sinkName: String, channels: Int, rate: Int, quantum: Int?) -> String {
        let positions = (0..<channels).map { channelName($0, of: channels) }.joined(separator: " ")
        return """
            context.properties = {
                default.clock.rate = \(rate)
                default.clock.allowed-rates = [ \(rate) ]
                default.clock.quantum = \(quantum ?? 1024)
                default.clock.min-quantum = 16
                default.clock.max-quantum = 8192
                vm.overrides = { default.clock.min-quantum = 16 }
            }
            context.objects = [
                { factory = adapter
                  args = {
                    factory.name = support.null-audio-sink
                    node.name = "\(sinkName)"
                    node.description = "\(sinkName)"
                    media.class = Audio/Sink
                    object.linger = true
                    audio.rate = \(rate)
                    audio.position = [ \(positions) ]
                    monitor.channel-volumes = true
                  }
                }
            ]

            """
    }

    private static func channelName(_ index: Int, of count: Int) -> String {
        switch count {
        case 1: "MONO"
        case 2, 4: ["FL", "FR", "RL", "RR"][index]
        case 6, 8: ["FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"][index]
        default: "AUX\(index)"
        }
    }

    /// The disabled monitors, so that the session ignores the machine's devices.
    ///
    /// This form, in Lua, is for WirePlumber up to 0.4.
    private static let monitors = [
        ("alsa_monitor", "main.lua.d"), ("v4l2_monitor", "main.lua.d"), ("libcamera_monitor", "main.lua.d"),
        ("bluez_monitor", "bluetooth.lua.d"), ("bluez_midi_monitor", "bluetooth.lua.d"),
    ]

    /// The same for WirePlumber 0.5 and later, as a profile.
    private static let profile = """
        wireplumber.profiles = {
          main = {
            hardware.audio = disabled
            hardware.bluetooth = disabled
            hardware.video-capture = disabled
          }
        }

        """
}
