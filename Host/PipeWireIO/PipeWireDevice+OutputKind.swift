// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells headphones from loudspeakers by PipeWire's properties. Any thread.

import Rendering

extension PipeWireDevice {
    /// The kind of a sink; nil for a source, and if its properties do not tell.
    ///
    /// The active port of the card decides first, because it changes with the jack. Then come the form, the profile and the icon.
    public var outputKind: DriverOutputKind? {
        guard isSink else { return nil }
        return kindOfPort ?? kindOfRoute ?? kindOfForm ?? kindOfProfile ?? kindOfIcon
    }

    /// True if it is attached from outside of the machine.
    private var isAttached: Bool { api == "bluez5" || ["usb", "bluetooth", "firewire"].contains(bus) }

    private var speakers: DriverOutputKind { isAttached ? .externalSpeakers : .builtInSpeakers }

    /// Decides by `port.type` of the active route.
    private var kindOfPort: DriverOutputKind? {
        switch portType {
        case "headphones", "headset", "handsfree": .headphones
        case "speaker": speakers
        case "handset", "earpiece", "phone": .builtInSpeakers
        case "hdmi", "tv", "video", "line", "aux", "spdif", "hifi", "car", "portable": .externalSpeakers
        default: nil
        }
    }

    /// Decides by names such as "analog-output-headphones", "analog-output-lineout" or "[Out] Speaker".
    private var kindOfRoute: DriverOutputKind? {
        let name = routeName.lowercased()
        if name.contains("headphone") || name.contains("headset") { return .headphones }
        if name.contains("speaker") { return speakers }
        return ["hdmi", "displayport", "lineout", "iec958"].contains { name.contains($0) } ? .externalSpeakers : nil
    }

    private var kindOfForm: DriverOutputKind? {
        switch formFactor {
        case "headphone", "headset", "hands-free": .headphones
        case "internal", "handset": .builtInSpeakers
        case "speaker", "portable", "car", "hifi", "tv": .externalSpeakers
        default: nil
        }
    }

    /// Decides by profiles such as "hdmi-stereo", which a card without routes has, too.
    private var kindOfProfile: DriverOutputKind? {
        let name = profileName.lowercased()
        return ["hdmi", "displayport", "iec958"].contains { name.contains($0) } ? .externalSpeakers : nil
    }

    private var kindOfIcon: DriverOutputKind? {
        if iconName.contains("headphone") || iconName.contains("headset") { return .headphones }
        return iconName.contains("speakers") || iconName.contains("video-display") ? .externalSpeakers : nil
    }
}
