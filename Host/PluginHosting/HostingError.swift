// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why something about plug-ins could not be done, as a value with its cause. Any thread.

import AudioUnits
import Confinement
import LinuxSystem

/// Why something about plug-ins could not be done.
///
/// Each case keeps its cause, so that a program can tell them apart. `description` is one sentence for the user. It names no
/// command and no option: what the user can do depends on the program.
public enum HostingError: Error, Hashable, Sendable {
    /// The manifest of a bundle cannot be used.
    case malformedManifest(path: String, reason: String)
    /// The bundle's executable is missing, or the user may not run it.
    case missingExecutable(bundle: String, executable: String)
    /// The bundle's library is missing, or the user may not read it.
    case missingLibrary(bundle: String, library: String)
    /// No plug-in has this name or ID; `nearest` are names that differ little.
    case unknownComponent(String, nearest: [String])
    /// Several plug-ins have this name; `matches` are their IDs.
    case ambiguousComponent(String, matches: [String])
    /// The plug-in did something wrong during `act`.
    case fault(unit: String, act: String, PluginFault)
    /// A request was turned down, by the plug-in or by the host on its behalf.
    ///
    /// `cause` says why. `hint` is empty, or ends the sentence with what may have been meant.
    case refused(unit: String, act: String, cause: UnitError, hint: String = "")
    /// The unit cannot be given another file to read while it renders.
    case cannotReadWhilePlaying(unit: String, id: String, act: String)
    /// The plug-in does not consent to being loaded into the host.
    case noConsent(unit: String)
    /// The user has not trusted the plug-in, or has trusted other code of that ID, so that it cannot be loaded into the host.
    case notTrusted(unit: String, id: String, change: CodeChange? = nil)
    /// A document, such as "the chain \"Voice\"", asks for rights that the user has not given.
    case unconfirmedWishes(document: String, [RightWish])
    /// The user has blocked the plug-in.
    case blocked(unit: String, id: String)
    /// The file of the user's decisions cannot be used.
    case malformedSettings(path: String, reason: String)
    /// A library or folder of classic plug-ins cannot be used.
    case unusableLocation(path: String, reason: String)
    /// The plug-in cannot be loaded into the host.
    case inProcessUnavailable(unit: String, reason: String)
    /// The unit cannot live in a process with others.
    case unsociable(unit: String, reason: String)
    /// Another error, which a unit of the saved chain of this name met.
    indirect case inChain(String, HostingError)
    /// The protocol cannot carry such a format, in blocks of so many frames.
    case impossibleFormat(AudioFormat, maximumFrameCount: Int)
    /// Confinement has gaps on this machine, and the host's configuration permits none.
    case incompleteConfinement(gaps: [ConfinementGap])
    /// The unit has no render resources, or still has some.
    case illegalInState(unit: String, act: String, hasResources: Bool)
    /// A file of the user or of the installation could not be used.
    case file(act: String, cause: FileDefect)
    /// None of these variables of the environment names a folder.
    case noFolder(act: String, variables: [String])
    /// Waiting for another process that changes this file was given up.
    case interrupted(path: String)
    /// The kernel refused a system call.
    case system(SystemError)
}
