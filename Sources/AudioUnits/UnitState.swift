// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The life of a unit: which states there are and which steps between them are legal. Any thread.

/// Where a unit is in its life. Each step forwards has its step back.
public enum UnitState: UInt32, Sendable, Hashable, CaseIterable {
    /// Known from its manifest; no instance exists.
    case described = 0
    /// An instance exists; parameters and state can be set, formats chosen.
    case instantiated = 1
    /// Memory for at most the maximum frame count is there; render may be called.
    case resourcesAllocated = 2
    /// At least one cycle was rendered since resources were allocated.
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

/// The steps of a unit's life, each refused with a reason where it is illegal.
public struct UnitLifecycle: Sendable {
    public private(set) var state: UnitState
    /// The most frames in a cycle, once resources are allocated.
    public private(set) var maximumFrameCount = 0

    public init(state: UnitState = .described) { self.state = state }

    public mutating func instantiate() throws(UnitError) {
        try require(state == .described, for: "instantiating")
        state = .instantiated
    }

    public mutating func allocateResources(maximumFrameCount: Int) throws(UnitError) {
        try require(state == .instantiated, for: "allocating render resources")
        guard maximumFrameCount > 0 else { throw .failed("the maximum frame count must be positive") }
        self.maximumFrameCount = maximumFrameCount
        state = .resourcesAllocated
    }

    public mutating func render(frameCount: Int) throws(UnitError) {
        try require(hasResources, for: "rendering")
        guard frameCount <= maximumFrameCount else {
            throw .tooManyFrames(asked: frameCount, maximum: maximumFrameCount)
        }
        state = .rendering
    }

    public mutating func deallocateResources() throws(UnitError) {
        try require(hasResources, for: "deallocating render resources")
        maximumFrameCount = 0
        state = .instantiated
    }

    /// Whether render resources are allocated, and perhaps used.
    public var hasResources: Bool { state == .resourcesAllocated || state == .rendering }

    /// Throws unless the state is one in which the call is legal.
    public func require(_ isLegal: Bool, for call: String) throws(UnitError) {
        guard isLegal else { throw .illegalInState(call: call, state: state) }
    }
}
