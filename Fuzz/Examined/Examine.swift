// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The events of a program, printed at once: the program may not come to its end.
public final class Trace {
  private var count = 0

  func note(_ text: String) {
    count += 1
    // The program runs away.
    if count > 2000 {
      print("endless\n.")
      exit(77)
    }
    print(text)
    fflush(stdout)
  }
}

/// Runs jobs, one line each: the number of the program, that of the form, and the script.
///
/// The arguments are the path of the list and the first line to run. The whole process ends with a job that takes more
/// than 20 seconds, and with one that traps: so a job is announced before it runs.
public func examine(_ body: (_ program: Int, _ form: Int, _ world: World) -> Void) {
  let text = try! String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
  let first = Int(CommandLine.arguments[2])!
  for (index, line) in text.split(separator: "\n").enumerated() where index >= first {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false)
    print("#\(index)")
    fflush(stdout)
    alarm(20)
    run(Int(words[0])!, Int(words[1])!, words[2], body)
    print(".")
    fflush(stdout)
  }
}

/// The remains of a world.
private final class Remains {
  weak var world: World?
}

@inline(never)
private func run(_ program: Int, _ form: Int, _ script: Substring, _ body: (Int, Int, World) -> Void) {
  let trace = Trace()
  let remains = Remains()
  pass(program, form, World(Script(script), trace), remains, body)
  trace.note(remains.world == nil ? "nothing is left" : "something is left")
}

@inline(never)
private func pass(
  _ program: Int, _ form: Int, _ world: __owned World, _ remains: Remains, _ body: (Int, Int, World) -> Void
) {
  remains.world = world
  body(program, form, world)
  world.drive()
  world.finish()
}
