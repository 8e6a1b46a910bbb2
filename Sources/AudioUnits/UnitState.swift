// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The life of a unit: its states, and the steps between them. Any thread.

/// The state of a unit in its life.
///
/// Each step forward has a step back.
public enum UnitState: UInt32, Sendable, Hashable, CaseIterable {
    /// The manifest of the unit is known; no instance exists.
    case described = 0
    /// An instance exists. Parameters and state can be set, and formats chosen.
    case instantiated = 1
    /// Memory for the maximum frame count is allocated. The unit can render.
    case resourcesAllocated = 2
    /// The unit has rendered at least one cycle since its resources were allocated.
    case rendering = 3

    var phrase: String {
        switch self {
        case .described: "the unit is only described"
        case .instantiated: "no render resources are allocated"
        case .resourcesAllocated: "render resources are allocated"
        case .rendering: "the unit renders"
        }
    }
}

/// The steps of a unit's life; an illegal step is refused with the reason.
public struct UnitLifecycle: Sendable {
    /// The present state.
    public private(set) var state: UnitState
    /// The largest number of frames in a cycle; zero while no resources are allocated.
    public private(set) var maximumFrameCount = 0

    /// Begins a life in `state`.
    public init(state: UnitState = .described) { self.state = state }

    /// Makes the instance of a unit that is only described.
    ///
    /// Throws `UnitError.illegalInState`.
    public mutating func instantiate() throws(UnitError) {
        try require(state == .described, for: "instantiating")
        state = .instantiated
    }

    /// Allocates resources for cycles of at most `maximumFrameCount` frames.
    ///
    /// Throws `UnitError.illegalInState`, or `failed` if the number is not positive.
    public mutating func allocateResources(maximumFrameCount: Int) throws(UnitError) {
        try require(state == .instantiated, for: "allocating render resources")
        guard maximumFrameCount > 0 else { throw .failed("the maximum frame count must be positive") }
        self.maximumFrameCount = maximumFrameCount
        state = .resourcesAllocated
    }

    /// Renders a cycle of `frameCount` frames.
    ///
    /// Throws `UnitError.illegalInState`, or `tooManyFrames`.
    public mutating func render(frameCount: Int) throws(UnitError) {
        try require(hasResources, for: "rendering")
        guard frameCount <= maximumFrameCount else {
            throw .tooManyFrames(asked: frameCount, maximum: maximumFrameCount)
        }
        state = .rendering
    }

    /// Frees the resources of a unit that has them.
    ///
    /// Throws `UnitError.illegalInState`.
    public mutating func deallocateResources() throws(UnitError) {
        try require(hasResources, for: "deallocating render resources")
        maximumFrameCount = 0
        state = .instantiated
    }

    /// True if render resources are allocated, no matter if the unit has rendered.
    public var hasResources: Bool { state == .resourcesAllocated || state == .rendering }

    /// Throws `UnitError.illegalInState` unless `isLegal` holds; the error names `call` and the present state.
    public func require(_ isLegal: Bool, for call: String) throws(UnitError) {
        guard isLegal else { throw .illegalInState(call: call, state: state) }
    }
}
