// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A material by its name. Any thread that alone uses the mesh.

import Foundation

/// The way in which a surface scatters light, of which nothing is heard.
open class MDLScatteringFunction: NSObject {
    /// Makes a way without properties.
    public override init() {}
}

/// The way in which a physical surface scatters light, of which nothing is heard.
public final class MDLPhysicallyPlausibleScatteringFunction: MDLScatteringFunction {}

/// A material, of which its name alone is used here.
open class MDLMaterial: NSObject {
    /// The name.
    public var name: String
    /// The way in which the surface scatters light.
    public let scatteringFunction: MDLScatteringFunction

    /// Makes a material with a name.
    public init(name: String, scatteringFunction: MDLScatteringFunction) {
        (self.name, self.scatteringFunction) = (name, scatteringFunction)
    }
}
