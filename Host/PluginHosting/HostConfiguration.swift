// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The choices of a program that hosts plug-ins: its name, the folders of its helpers, confinement. Any thread.

import Confinement
import Glibc
import Printing
import Synchronization

/// Configures this process as a host of plug-ins.
///
/// The defaults suit most programs. Set `current` before the first unit starts: running processes keep their configuration.
public struct HostConfiguration: Sendable {
    /// The name by which plug-ins know this host.
    public var name = "Bulkhead"
    /// The host's version, which plug-ins see after the name; nil for none.
    public var version: String?
    /// The folders with the helper programs, in the order of the search.
    ///
    /// The keeper ends plug-ins after the host's death. The launcher makes a process from a plug-in's library. By default the
    /// folders are this program's own, `../lib/bulkhead` beside it, and the library folders of an installation.
    public var supportFolders: [String]
    /// The folders of plug-ins and bridges, and the file of the user's decisions.
    public var installation: Installation
    /// True if units start only on a machine that can confine them completely.
    ///
    /// By default units start with the available confinement, and `confinementGaps` lists what it lacks. With `true` they are
    /// refused with `HostingError.incompleteConfinement`, and classic plug-ins are not scanned. A plug-in that the user has
    /// unconfined starts in any case.
    public var requiresCompleteConfinement = false
    /// Receives the lines that plug-ins print.
    ///
    /// A plug-in's output never reaches the host's terminal directly. The host reads it, replaces control characters, cuts long
    /// lines, and drops lines beyond a limit. By default the lines go to standard error, as long as it accepts them. The function
    /// is called on a thread of the host's own, one line after the other. Plug-ins never wait for it.
    public var pluginOutput: @Sendable (PluginOutput) -> Void = { Self.errors.offer("\($0)") }

    /// Receives each message between the host and an extension, on the control thread that sends or receives it.
    ///
    /// Nil, the default, traces no messages.
    package var messageTrace: (@Sendable (TracedMessage) -> Void)?

    /// Makes the default configuration.
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

    /// The gaps in this machine's confinement of plug-ins; each describes itself in a sentence.
    ///
    /// `[control]`
    public static var confinementGaps: [ConfinementGap] { ConfinementOffer.current.gaps }

    /// The host's name and version, as plug-ins see them.
    var greeting: String { version.map { "\(name) \($0)" } ?? name }

    /// The launcher; nil if none of the folders holds one.
    package var launcherPath: String? {
        supportFolders.map { "\($0)/bulkhead-extension" }.first { access($0, X_OK) == 0 }
    }

    /// Throws if confinement must be complete but cannot be.
    static func checkConfinement() throws(HostingError) {
        let gaps = current.requiresCompleteConfinement ? confinementGaps : []
        guard gaps.isEmpty else { throw .incompleteConfinement(gaps: gaps) }
    }
}
