// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a category. Any thread.

extension AVAudioSession {
    /// The options of a category.
    ///
    /// Options are kept, but change nothing: PipeWire always mixes programs, and the user chooses devices.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Makes options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs are heard, too.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Other programs are ducked; not here.
        public static let duckOthers = CategoryOptions(rawValue: 1 << 1)
        /// The former name of `allowBluetoothHFP`.
        public static let allowBluetooth = CategoryOptions(rawValue: 1 << 2)
        /// Bluetooth devices for calls.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 1 << 2)
        /// The speaker instead of the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 1 << 3)
        /// Speech of other programs is paused; not here.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 1 << 4 | 1)
        /// Bluetooth devices for listening.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 1 << 5)
        /// Devices in the network.
        public static let allowAirPlay = CategoryOptions(rawValue: 1 << 6)
        /// A muted microphone does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 1 << 7)
        /// Bluetooth devices with high recording quality.
        public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
    }
}
