// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kinds of devices for input and output. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, DontRepeatTypeInStaticProperties

extension AVAudioSession {
    /// The kind of a device.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The name of Apple's constant.
        public let rawValue: String

        /// Makes a kind from a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A line input.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The microphone of the machine.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// The microphone of a wired headset.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// A line output.
        public static let lineOut = Port(rawValue: "LineOut")
        /// Wired headphones, or a wired headset.
        public static let headphones = Port(rawValue: "Headphones")
        /// A Bluetooth device for listening.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// The receiver at an ear; no machine with PipeWire reports one.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The speakers of the machine.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// A screen.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// A device in the network.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// A Bluetooth Low Energy device.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// A Bluetooth device for calls.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// A USB device.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// A car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// A virtual device.
        public static let virtual = Port(rawValue: "Virtual")
        /// A PCI card.
        public static let PCI = Port(rawValue: "PCI")
        /// A FireWire device.
        public static let fireWire = Port(rawValue: "FireWire")
        /// A screen.
        public static let displayPort = Port(rawValue: "DisplayPort")
        /// A device in an AVB network.
        public static let AVB = Port(rawValue: "AVB")
        /// A Thunderbolt device.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
        /// The microphone of a telephone.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
    }
}
