// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An error about plug-ins, as a value with its cause. Any thread.

import AudioUnits
import Confinement
import LinuxSystem

/// An error about plug-ins.
///
/// Each case keeps its cause, so that a program can tell the cases apart. `description` is one sentence for the user. It names no
/// command and no option, because these depend on the program.
public enum HostingError: Error, Hashable, Sendable {
    /// The manifest of a bundle cannot be used.
    case malformedManifest(path: String, reason: String)
    /// The bundle's executable is missing, or the user may not run it.
    case missingExecutable(bundle: String, executable: String)
    /// The bundle's library is missing, or the user may not read it.
    case missingLibrary(bundle: String, library: String)
    /// No plug-in has this name or ID; `nearest` has similar names.
    case unknownComponent(String, nearest: [String])
    /// Several plug-ins have this name; `matches` has their IDs.
    case ambiguousComponent(String, matches: [String])
    /// The plug-in failed during `act`.
    case fault(unit: String, act: String, PluginFault)
    /// The plug-in, or the host on its behalf, refused a request.
    ///
    /// `cause` is the reason. `hint` is empty, or ends the sentence with a suggestion.
    case refused(unit: String, act: String, cause: UnitError, hint: String = "")
    /// The unit cannot be given another file while it renders.
    case cannotReadWhilePlaying(unit: String, id: String, act: String)
    /// The plug-in does not consent to being loaded into the host.
    case noConsent(unit: String)
    /// The plug-in cannot be loaded into the host: the user has not trusted it, or has trusted other code of that ID.
    case notTrusted(unit: String, id: String, change: CodeChange? = nil)
    /// A document, such as "the chain \"Voice\"", asks for rights that the user has not given.
    case unconfirmedWishes(document: String, [RightWish])
    /// The user has blocked the plug-in.
    case blocked(unit: String, id: String)
    /// The plug-in is in quarantine for this reason, a clause after its name.
    case quarantined(unit: String, id: String, reason: String)
    /// A plug-in that has rights was replaced while the host ran; the new code does not get them.
    case codeChanged(unit: String, path: String)
    /// The file of the user's decisions cannot be used.
    case malformedSettings(path: String, reason: String)
    /// A library or folder of classic plug-ins cannot be used.
    case unusableLocation(path: String, reason: String)
    /// The plug-in cannot be loaded into the host.
    case inProcessUnavailable(unit: String, reason: String)
    /// The unit cannot share a process.
    case unsociable(unit: String, reason: String)
    /// Another error, of a unit in the saved chain of this name.
    indirect case inChain(String, HostingError)
    /// The protocol cannot carry this format in blocks of this length.
    case impossibleFormat(AudioFormat, maximumFrameCount: Int)
    /// Confinement has gaps on this machine, and the host's configuration permits none.
    case incompleteConfinement(gaps: [ConfinementGap])
    /// The unit has no render resources, or already has some; `hasResources` tells which.
    case illegalInState(unit: String, act: String, hasResources: Bool)
    /// A file of the user or of the installation could not be used.
    case file(act: String, cause: FileDefect)
    /// None of these environment variables names a folder.
    case noFolder(act: String, variables: [String])
    /// The program stopped waiting for another process that changes this file.
    case interrupted(path: String)
    /// The kernel refused a system call.
    case system(SystemError)
}
