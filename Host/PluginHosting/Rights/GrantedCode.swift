// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The code to which the rights of a started unit belong. Any thread.

import LinuxSystem

/// A plug-in's library or folder, and the number of the code that was there when the user gave a right.
package struct GrantedCode: Hashable, Sendable {
    /// The path of the library or folder.
    let home: ExactPath
    /// The number; nil for code that could not be looked at, which has no rights.
    let number: Int?

    /// Takes the code that the user means by the plug-in now.
    init(_ component: Component) {
        home = ExactPath(component.home)
        number = DecidedCode.shared.meet(component.home)
    }

    /// Takes the code with which a unit was started.
    package init(of unit: HostedUnit) {
        let home = unit.component.home
        self.home = ExactPath(home)
        number = unit.unitProcess.map { $0.codeNumber(of: home) } ?? DecidedCode.shared.number(of: home)
    }
}
