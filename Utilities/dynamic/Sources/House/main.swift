// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import Thermometer
import Thermostat

/// Ends the program if a condition is false.
func check(_ isTrue: Bool, _ what: String) {
  print(isTrue ? "yes" : "NO ", what)
  if !isTrue { fatalError(what) }
}

let thermometer = Thermometer()
let thermostat = Thermostat()
thermostat.follow(thermometer.readings)
thermometer.measure(12)
check(thermostat.isHeating, "one library's publisher drives the other one's sink")
check(thermostat.follow(ifPublisher: thermometer.anything), "a library sees a publisher in the other one's value")
thermometer.measure(21)
check(!thermostat.isHeating, "and can subscribe to it")
check(thermometer.anything is any Publisher<Double, Never>, "so does the program")
let identifiers = Set([thermometer.identifier(), thermostat.identifier(), CombineIdentifier()])
check(identifiers.count == 3, "identifiers of the three are of one sequence")
