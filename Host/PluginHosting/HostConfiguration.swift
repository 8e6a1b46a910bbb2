// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a program that hosts plug-ins may decide once: its name, where its helpers lie, what must be confined. Any thread.

import Confinement
import Glibc
import Printing
import Synchronization

/// How this process hosts plug-ins.
///
/// The defaults suit most programs. Set `current` before the first unit starts: processes that run keep what they began with.
public struct HostConfiguration: Sendable {
    /// The name by which plug-ins know this host.
    public var name = "Bulkhead"
    /// The host's version, which plug-ins hear after the name; nil says none.
    public var version: String?
    /// The folders in which the helper programs lie, in their order: the keeper, which ends plug-ins when the host is gone, and
    /// the launcher, which makes a process of a plug-in's library.
    ///
    /// By default the folder of this program, `../lib/bulkhead` beside it, and the library folders of an installation.
    public var supportFolders: [String]
    /// Where plug-ins, bridges and the user's decisions lie.
    public var installation: Installation
    /// Whether units start only where this machine can confine them completely.
    ///
    /// By default units start with the confinement that there is; `confinementGaps` lists what is missing. With `true` they are
    /// refused with `HostingError.incompleteConfinement`, and classic plug-ins are not scanned. A plug-in that the user has
    /// unconfined starts all the same: that was the user's decision.
    public var requiresCompleteConfinement = false
    /// What becomes of the lines that plug-ins print.
    ///
    /// A plug-in's output never reaches the host's terminal by itself: the host reads it, replaces control characters, cuts
    /// lines, and leaves out what is too much. By default the lines go to standard error, where there is room for them. The
    /// function is called on a thread of the host's own, one line after the other. Plug-ins never wait for it.
    public var pluginOutput: @Sendable (PluginOutput) -> Void = { Self.errors.offer("\($0)") }

    /// Hears of each message between the host and an extension, on the control thread that sends or receives it.
    ///
    /// With nil, as by default, nothing is made of messages.
    package var messageTrace: (@Sendable (TracedMessage) -> Void)?

    /// The configuration of a program that decides nothing.
    public init() {
        supportFolders = ConfinementOffer.defaultSupportFolders
        installation = .current
    }

    private static let errors = OfferedLines()

    private static let shared = Mutex<HostConfiguration?>(nil)

    /// The configuration of this process.
    ///
    /// `[any]`
    public static var current: HostConfiguration {
        get {
            shared.withLock { shared in
                let configuration = shared ?? HostConfiguration()
                shared = configuration
                return configuration
            }
        }
        set {
            shared.withLock { $0 = newValue }
            ConfinementOffer.setSupportFolders(newValue.supportFolders)
        }
    }

    /// What this machine lacks to confine plug-ins completely; each gap describes itself in a sentence.
    ///
    /// `[control]`
    public static var confinementGaps: [ConfinementGap] { ConfinementOffer.current.gaps }

    /// What plug-ins hear of the host.
    var greeting: String { version.map { "\(name) \($0)" } ?? name }

    /// The launcher; nil where none of the folders holds one.
    package var launcherPath: String? {
        supportFolders.map { "\($0)/bulkhead-extension" }.first { access($0, X_OK) == 0 }
    }

    /// Throws where confinement must be complete and cannot be.
    static func checkConfinement() throws(HostingError) {
        let gaps = current.requiresCompleteConfinement ? confinementGaps : []
        guard gaps.isEmpty else { throw .incompleteConfinement(gaps: gaps) }
    }
}
