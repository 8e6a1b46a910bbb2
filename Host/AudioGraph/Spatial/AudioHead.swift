// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The head through which a listener hears. Any thread but the render thread.

import HeadFiles
import Spatial
import Synchronization

/// The head of a listener: how a sound from each direction arrives at both ears.
///
/// Many environments may have one head; its filters are computed once for each sample rate.
public typealias AudioHead = HeadSet

/// The reason why a head cannot be used.
public typealias AudioHeadError = HeadSetError

extension HeadSet {
    private static let known = Mutex<HeadSet?>(nil)

    /// `[control]` Reads a head from a file in the format SOFA, with the convention SimpleFreeFieldHRIR.
    ///
    /// A confined process reads the file. Throws its name and the reason if it cannot be used; no other head takes its place.
    public convenience init(contentsOfFile path: String) throws(HeadSetError) { self.init(try HeadFile.read(path)) }

    /// The file of the standard head.
    public static var standardPath: String { HeadFile.standardPath }

    /// `[control]` Returns the standard head: KEMAR, as Debian's package libmysofa1 installs it.
    public static func standard() throws(HeadSetError) -> HeadSet {
        try known.withLock { (known) throws(HeadSetError) in
            if let known { return known }
            let new = try HeadSet(contentsOfFile: HeadFile.standardPath)
            known = new
            return new
        }
    }
}
