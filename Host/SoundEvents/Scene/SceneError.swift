// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors of a scene's tree of objects. Any thread.

/// An error of a scene's objects.
public enum SceneError: Error, Hashable, Sendable {
    /// The object has a parent.
    case hasParent
    /// The object is the other one, or contains it.
    case cycle
    /// The root of a scene cannot be moved, and is no child.
    case root
    /// The tree would have too many levels.
    case depth
    /// The object belongs to another scene.
    case otherScene
    /// The object is no child of the other one.
    case noChild
    /// The transform is beyond what a scene takes.
    case transform(SceneTransform)
    /// The number is not finite, or not above 0.
    case units(Double)

    /// The most levels of a scene's tree.
    static let mostLevels = 256
}

extension SceneError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .hasParent: "The object has a parent already: take it away from there first."
        case .cycle: "An object cannot be part of itself: add it to an object that it does not contain."
        case .root: "The root of the scene stays where it is: move its children, or add objects to it."
        case .depth: "A scene has \(Self.mostLevels) levels of objects at most: add the object to one nearer to the root."
        case .otherScene: "The object belongs to another scene: make one in this scene."
        case .noChild: "The object is no child of this one: ask its parent."
        case .transform(let transform):
            "No object can be at \(transform.position) with the scale \(transform.scale): "
                + "take finite numbers up to 1e10, and a scale from 1e-6 to 1e6."
        case .units(let units): "A metre cannot be \(units) units: take a number from 1e-6 to 1e6."
        }
    }
}
