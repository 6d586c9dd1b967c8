// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The actions of a program besides its pipelines, read from text, so that they can be changed without compiling
/// anything.
///
/// A script is a list of lines, separated by semicolons: acts, which are done in turn; `@SITE NTH ACT`, which is done
/// inside the n-th call at a site; and `plan PIPELINE FIRST REPLY`, the demand of a subscriber, with `inside` if the
/// reply is requested during the delivery instead of returned. `mistake NUMBER` chooses one of ``Mistaken``.
struct Script {
  typealias Act = [Substring]

  struct Plan {
    var first: Int?
    var reply: Int?
    var isInside = false
  }

  private(set) var acts: [Act] = []
  private(set) var hooks: [Int: [(nth: Int, act: Act)]] = [:]
  private(set) var plans: [Int: Plan] = [:]
  private(set) var mistake = -1

  init(_ text: Substring) {
    for line in text.split(separator: ";") {
      let words = line.split(separator: " ")
      if words[0].hasPrefix("@") {
        hooks[Int(words[0].dropFirst())!, default: []].append((Int(words[1])!, Array(words[2...])))
      } else if words[0] == "plan" {
        plans[Int(words[1])!] = Plan(first: Int(words[2]), reply: Int(words[3]), isInside: words.last == "inside")
      } else if words[0] == "mistake" {
        mistake = Int(words[1])!
      } else {
        acts.append(words)
      }
    }
  }
}
