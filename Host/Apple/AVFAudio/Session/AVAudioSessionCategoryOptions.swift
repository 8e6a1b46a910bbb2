// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a category is meant. Any thread.

extension AVAudioSession {
    /// How a category is meant.
    ///
    /// Options are kept: PipeWire mixes with other programs always, and the user chooses devices.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Options of these bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs are heard, too.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Other programs are made softer; not here.
        public static let duckOthers = CategoryOptions(rawValue: 1 << 1)
        /// The former name of `allowBluetoothHFP`.
        public static let allowBluetooth = CategoryOptions(rawValue: 1 << 2)
        /// Bluetooth devices for calls.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 1 << 2)
        /// The speaker in place of the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 1 << 3)
        /// Speech of other programs is paused; not here.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 1 << 4 | 1)
        /// Bluetooth devices to listen to.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 1 << 5)
        /// Devices in the network.
        public static let allowAirPlay = CategoryOptions(rawValue: 1 << 6)
        /// A microphone that is muted does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 1 << 7)
        /// Bluetooth devices that record well.
        public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
    }
}
