// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kind of a sink or source, from PipeWire's properties. Any thread.

import PipeWireIO

extension AVAudioSession.Port {
    /// Finds the kind of a device: first by its bus, then by its active jack, then by its form.
    init(of device: PipeWireDevice) {
        self = Self.attachment(device) ?? Self.jack(device) ?? Self.form(device) ?? Self.usual(device)
    }

    private static func attachment(_ device: PipeWireDevice) -> Self? {
        if device.api == "bluez5" || device.bus == "bluetooth" {
            // A source, or a sink with one channel, has the profile for calls.
            return device.isSink && device.channelNames.count != 1 ? .bluetoothA2DP : .bluetoothHFP
        }
        if device.name.hasPrefix("raop_") { return .airPlay }
        switch device.bus {
        case "usb": return .usbAudio
        case "firewire": return .fireWire
        default: return nil
        }
    }

    /// Decides by names such as "analog-output-headphones", "hdmi-output-0" or "[In] Mic2"; a node's name contains its card's
    /// profile.
    private static func jack(_ device: PipeWireDevice) -> Self? {
        let name = device.routeName.lowercased()
        if name.contains("displayport") { return .displayPort }
        if name.contains("hdmi") || device.name.lowercased().contains("hdmi") { return device.isSink ? .HDMI : nil }
        if name.contains("head") { return device.isSink ? .headphones : .headsetMic }
        if name.contains("speaker") { return .builtInSpeaker }
        if name.contains("lineout") || name.contains("iec958") { return device.isSink ? .lineOut : .lineIn }
        if name.contains("linein") { return .lineIn }
        if name.contains("internal-mic") { return .builtInMic }
        return name.contains("-mic") ? .headsetMic : nil
    }

    private static func form(_ device: PipeWireDevice) -> Self? {
        switch device.formFactor {
        case "headphone", "headset", "hands-free": return device.isSink ? .headphones : .headsetMic
        case "internal", "handset", "portable": return device.isSink ? .builtInSpeaker : .builtInMic
        case "speaker": return .builtInSpeaker
        case "microphone", "webcam": return .builtInMic
        case "car": return .carAudio
        case "tv": return .HDMI
        default: break
        }
        if device.iconName.contains("head") { return device.isSink ? .headphones : .headsetMic }
        if device.iconName.contains("video-display") { return .HDMI }
        return nil
    }

    private static func usual(_ device: PipeWireDevice) -> Self {
        if device.api.isEmpty, device.bus.isEmpty { return .virtual }
        return device.isSink ? .builtInSpeaker : .builtInMic
    }
}
