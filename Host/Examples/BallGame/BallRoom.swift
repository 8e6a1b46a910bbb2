// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The physics of a room in which balls fall, bounce and lie still. Main thread.

import AudioGraph
import Glibc

/// A ball on its way.
struct Ball {
    /// The number of the ball, which no other ball has.
    let number: Int
    /// The place in metres, and the speed in metres a second.
    var place: SIMD3<Float>
    var speed: SIMD3<Float>
    /// The seconds since it appeared.
    var age: Float = 0

    /// The place for the engine.
    var point: Audio3DPoint { Audio3DPoint(x: place.x, y: place.y, z: place.z) }
}

/// An event of a step.
enum BallEvent {
    /// A ball has appeared.
    case appeared(Ball)
    /// A ball has hit a wall, the floor or another ball, at a speed in metres a second.
    case hit(Ball, speed: Float)
    /// A ball has gone.
    case gone(Ball)
}

/// A room of 8 by 3 by 8 metres around the listener, and the balls in it.
struct BallRoom {
    /// Half of the room's size; the floor is below the listener's ears.
    static let half = SIMD3<Float>(4, 1.5, 4)
    /// The radius of a ball, and the share of its speed that a collision leaves.
    static let (radius, bounce) = (Float(0.12), Float(0.8))
    /// The seconds for which a ball stays, and those between two new ones.
    static let (lifetime, pause) = (Float(3), Float(0.2))

    private(set) var balls: [Ball] = []
    private var nextNumber = 0
    private var sincePrevious = pause
    private var random: UInt64 = 1

    /// A number from −1 to 1, the same ones in each run.
    private mutating func next() -> Float {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(random >> 40) / Float(1 << 23) - 1
    }

    /// Lets time pass, and returns the events in their order.
    mutating func step(_ seconds: Float) -> [BallEvent] {
        var events: [BallEvent] = []
        sincePrevious += seconds
        if sincePrevious >= Self.pause {
            sincePrevious -= Self.pause
            balls.append(Ball(number: nextNumber, place: [3 * next(), 1, 3 * next()], speed: [4 * next(), 2, 4 * next()]))
            nextNumber += 1
            events.append(.appeared(balls[balls.count - 1]))
        }
        for index in balls.indices { move(index, seconds, &events) }
        for first in balls.indices { for second in balls.indices.dropFirst(first + 1) { collide(first, second, &events) } }
        events += balls.filter { $0.age >= Self.lifetime }.map { .gone($0) }
        balls.removeAll { $0.age >= Self.lifetime }
        return events
    }

    /// Moves a ball, which falls, and bounces off the room.
    private mutating func move(_ index: Int, _ seconds: Float, _ events: inout [BallEvent]) {
        var ball = balls[index]
        ball.age += seconds
        ball.speed.y -= 9.81 * seconds
        ball.place += ball.speed * seconds
        var hit: Float = 0
        for axis in 0..<3 {
            let limit = Self.half[axis] - Self.radius
            guard abs(ball.place[axis]) > limit else { continue }
            ball.place[axis] = ball.place[axis] < 0 ? -limit : limit
            hit = max(hit, abs(ball.speed[axis]))
            ball.speed[axis] *= -Self.bounce
        }
        balls[index] = ball
        // A ball that lies on the floor makes no sound.
        if hit > 0.5 { events.append(.hit(ball, speed: hit)) }
    }

    /// Lets two balls that touch exchange their speeds along the line between them.
    private mutating func collide(_ first: Int, _ second: Int, _ events: inout [BallEvent]) {
        let way = balls[second].place - balls[first].place
        let distance = (way * way).sum().squareRoot()
        guard distance < 2 * Self.radius, distance > 0 else { return }
        let direction = way / distance
        let closing = ((balls[first].speed - balls[second].speed) * direction).sum()
        guard closing > 0 else { return }
        balls[first].speed -= direction * closing
        balls[second].speed += direction * closing
        if closing > 0.5 { events.append(.hit(balls[first], speed: closing)) }
    }
}
