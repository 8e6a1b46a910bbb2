// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a program wants of the sound system, and what it gets. Any thread but the render thread.

import Foundation
import PipeWireIO
import Synchronization

/// What a program wants of the sound system, and what it gets.
///
/// Categories, modes and options are kept, and change nothing: PipeWire mixes all programs, asks nobody for permission, and
/// interrupts nobody. The preferred rate, buffer and input reach the engines that start afterwards. The route is that of PipeWire's
/// default devices.
public final class AVAudioSession: NSObject, Sendable {
    private static let session: AVAudioSession = {
        let session = AVAudioSession()
        session.devices.begin()
        return session
    }()
    let state = Mutex(State())
    let devices = SessionDevices()

    struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var allowsHaptics = false
        var supportsMultichannelContent = false
        var prefersNoInterruptions = false
        var sampleRate = 0.0
        var bufferDuration = 0.0
        var inputName: String?
        var inputChannelCount = 0
        var outputChannelCount = 0
        var orientation = StereoOrientation.none
    }

    /// The session of this program.
    public class func sharedInstance() -> AVAudioSession { session }

    /// What kind of sound the program makes.
    public var category: Category { state.withLock { $0.category } }
    /// How that is meant.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// What the program is used for.
    public var mode: Mode { state.withLock { $0.mode } }
    /// The devices that the program shares.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// The categories that can be set.
    public var availableCategories: [Category] { [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute] }

    /// The modes that can be set.
    public var availableModes: [Mode] {
        [
            .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio, .voicePrompt,
            .dualRoute, .shortFormVideo,
        ]
    }

    /// Sets the category; the mode stays.
    public func setCategory(_ category: Category) throws { try set(category) }

    /// Sets the category and its options; the mode stays.
    public func setCategory(_ category: Category, options: CategoryOptions) throws { try set(category, options: options) }

    /// Sets the category, the mode and the options.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try set(category, mode: mode, options: options)
    }

    /// Sets the category, the mode, the devices and the options.
    public func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        try set(category, mode: mode, policy: policy, options: options)
    }

    /// Sets the mode.
    public func setMode(_ mode: Mode) throws { try set(category, mode: mode, policy: routeSharingPolicy, options: categoryOptions) }

    private func set(
        _ category: Category, mode: Mode? = nil, policy: RouteSharingPolicy = .default, options: CategoryOptions = []
    ) throws {
        guard availableCategories.contains(category) || category == .audioProcessing else {
            throw Self.error(.badParam, "There is no category \"\(category.rawValue)\".")
        }
        guard mode.map({ availableModes.contains($0) }) ?? true else {
            throw Self.error(.badParam, "There is no mode \"\(mode?.rawValue ?? "")\".")
        }
        state.withLock { state in
            (state.category, state.policy, state.options) = (category, policy, options)
            if let mode { state.mode = mode }
        }
    }

    /// Activates the session, or ends that: there is nothing to do.
    public func setActive(_ active: Bool) throws {}

    /// Activates the session, or ends that: there is nothing to do.
    public func setActive(_ active: Bool, options: SetActiveOptions) throws {}

    /// Keeps whether haptics and sounds of the system may be recorded.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        state.withLock { $0.allowsHaptics = inValue }
    }

    /// Whether haptics and sounds of the system may be recorded.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { state.withLock { $0.allowsHaptics } }

    /// Keeps whether alerts should interrupt nothing; they never do here.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        state.withLock { $0.prefersNoInterruptions = inValue }
    }

    /// Whether alerts should interrupt nothing.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { state.withLock { $0.prefersNoInterruptions } }

    /// Keeps whether the program has sound in more than two channels.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        state.withLock { $0.supportsMultichannelContent = inValue }
    }

    /// Whether the program has sound in more than two channels.
    public var supportsMultichannelContent: Bool { state.withLock { $0.supportsMultichannelContent } }

    /// An error as Apple's systems have them, with a sentence.
    static func error(_ code: ErrorCode, _ sentence: String) -> NSError {
        NSError(domain: "NSOSStatusErrorDomain", code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
