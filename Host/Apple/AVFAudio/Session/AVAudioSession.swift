// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A program's requests to the sound system, and the answers. Any thread but the render thread.

import Foundation
import PipeWireIO
import Synchronization

/// A program's requests to the sound system, and the answers.
///
/// Categories, modes and options are kept, but change nothing. PipeWire mixes all programs. It asks for no permission and interrupts no
/// program. The preferred rate, buffer and input apply to engines that start later. The route is that of PipeWire's default devices.
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

    /// The kind of sound that the program makes.
    public var category: Category { state.withLock { $0.category } }
    /// The options of the category.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The purpose of the program.
    public var mode: Mode { state.withLock { $0.mode } }
    /// The policy for sharing devices.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// All categories.
    public var availableCategories: [Category] { [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute] }

    /// All modes.
    public var availableModes: [Mode] {
        [
            .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio, .voicePrompt,
            .dualRoute, .shortFormVideo,
        ]
    }

    /// Sets the category, and keeps the mode.
    public func setCategory(_ category: Category) throws { try set(category) }

    /// Sets the category and its options, and keeps the mode.
    public func setCategory(_ category: Category, options: CategoryOptions) throws { try set(category, options: options) }

    /// Sets the category, the mode and the options.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try set(category, mode: mode, options: options)
    }

    /// Sets the category, the mode, the policy and the options.
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

    /// Does nothing: a session is always active.
    public func setActive(_ active: Bool) throws {}

    /// Does nothing: a session is always active.
    public func setActive(_ active: Bool, options: SetActiveOptions) throws {}

    /// Keeps whether haptics and system sounds may be recorded.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        state.withLock { $0.allowsHaptics = inValue }
    }

    /// True if haptics and system sounds may be recorded.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { state.withLock { $0.allowsHaptics } }

    /// Keeps whether alerts must not interrupt; here they never do.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        state.withLock { $0.prefersNoInterruptions = inValue }
    }

    /// True if alerts must not interrupt.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { state.withLock { $0.prefersNoInterruptions } }

    /// Keeps whether the program has sound in more than two channels.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        state.withLock { $0.supportsMultichannelContent = inValue }
    }

    /// True if the program has sound in more than two channels.
    public var supportsMultichannelContent: Bool { state.withLock { $0.supportsMultichannelContent } }

    /// Makes an error as on Apple's systems, with a sentence.
    static func error(_ code: ErrorCode, _ sentence: String) -> NSError {
        NSError(domain: "NSOSStatusErrorDomain", code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
