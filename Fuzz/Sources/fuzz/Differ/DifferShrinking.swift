// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DifferFinding {
  /// Returns the smallest finding that still shows the difference.
  func shrunk(by search: DifferSearch) -> DifferFinding {
    var best = self
    for _ in 0..<30 {
      guard let smaller = best.smaller(search) else { break }
      best = smaller
    }
    return best
  }

  private func smaller(_ search: DifferSearch) -> DifferFinding? {
    if compiler != nil { return smallerForCompiler(search.lab) }
    let scripts = script.isEmpty ? [] : Self.smaller(script)
    // Scripts first: they need no compiler, but one file for all.
    var cases: [DifferCase] = []
    if !scripts.isEmpty { cases.append(DifferCase(name: name, program: program, scripts: scripts)) }
    for (number, program) in program.smaller.enumerated() {
      cases.append(DifferCase(name: "\(name) \(number)", program: program, scripts: script.isEmpty ? [] : [script]))
    }
    let batches = stride(from: 0, to: cases.count, by: 20).map { Array(cases[$0..<min(cases.count, $0 + 20)]) }
    for batch in batches {
      let found = (try? search.examine(batch, name: "smaller")) ?? []
      // Programs before scripts: dropping a part of a program removes more.
      guard
        var next = found.filter({ $0.compiler == nil && $0.isLike(self) }).min(by: {
          ($0.program.size, $0.script.count) < ($1.program.size, $1.script.count)
        })
      else { continue }
      next.name = name
      return next
    }
    return nil
  }

  /// One form of one program at a time: a file that the compiler cannot build says nothing about its other programs.
  private func smallerForCompiler(_ lab: DifferLab) -> DifferFinding? {
    defer { lab.discard("smaller") }
    for program in program.smaller {
      for form in DifferForm.compared {
        guard case .failure(let failure)? = try? lab.compile(DifferProgram.file([program], [form]), name: "smaller")
        else {
          // The other parts are hardly ever the ones that cannot be built.
          if form == .written, compiler?.contains("written") == true { break }
          continue
        }
        var next = self
        (next.program, next.compiler) = (program, failure.description)
        return next
      }
    }
    return nil
  }

  /// Whether another finding shows the same: a finding that stops, or breaks a rule, is not shrunk to one that only
  /// differs.
  private func isLike(_ other: DifferFinding) -> Bool {
    outcomes.contains { $0.stop != nil } == other.outcomes.contains { $0.stop != nil }
      && outcomes.contains(where: \.isBroken) == other.outcomes.contains(where: \.isBroken)
  }

  private static func smaller(_ script: String) -> [String] {
    let lines = script.split(separator: ";").map(String.init)
    var smaller: [String] = []
    if lines.count > 2 {
      smaller.append(lines.prefix(lines.count / 2).joined(separator: ";"))
    }
    for place in lines.indices {
      var fewer = lines
      fewer.remove(at: place)
      smaller.append(fewer.joined(separator: ";"))
    }
    return smaller
  }
}

extension DifferProgram {
  var size: Int { pipelines.reduce(0) { $0 + 2 + $1.chain.size + $1.chain.all.count } }

  /// Smaller programs.
  var smaller: [DifferProgram] {
    var smaller: [DifferProgram] = []
    if pipelines.count > 1 {
      for place in pipelines.indices {
        var fewer = self
        fewer.pipelines.remove(at: place)
        smaller.append(fewer)
      }
    }
    for place in pipelines.indices {
      for chain in pipelines[place].chain.smaller {
        var fewer = self
        fewer.pipelines[place].chain = chain
        smaller.append(fewer)
      }
      if pipelines[place].end != "sink" {
        var fewer = self
        fewer.pipelines[place].end = "sink"
        smaller.append(fewer)
      }
    }
    return smaller.filter { $0.isValid && $0 != self }
  }
}

extension DifferChain {
  fileprivate var smaller: [DifferChain] {
    var smaller: [DifferChain] = []
    for place in links.indices {
      var fewer = self
      fewer.links.remove(at: place)
      smaller.append(fewer)
      for (number, child) in links[place].children.enumerated() {
        for less in child.smaller {
          var fewer = self
          fewer.links[place].children[number] = less
          smaller.append(fewer)
        }
      }
    }
    let simple = failure == .never ? "n0" : "s0"
    if source != simple {
      var fewer = self
      fewer.source = DifferSource.named(source).failure == .never ? "n0" : "s0"
      smaller.append(fewer)
    }
    return smaller
  }
}
