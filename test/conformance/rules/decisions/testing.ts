import type { Rule } from '../../rule.ts'

/** The decisions on the tests of integrators. */
export const testingDecisions: readonly Rule[] = [
  {
    section: 'D-363 How the time of flows moves in a test',
    rule: 'A flow of a test passes its windows at their declared lengths when its clock moves. Others refuse to move it.',
    heldBy: [
      'test/workflows/updates/moveClock.test.ts > a flow in staging',
      'test/workflows/updates/moveClock.test.ts > outside of a test',
    ],
  },
  {
    section: "D-268 Snapshots of a developer's stack",
    rule: 'A snapshot has the service and its time, and the stack goes back to it on the same ports.',
    heldBy: [
      'test/cli/devAndDemo.test.ts > dev on free ports forwards callbacks, moves its clock, and goes back to a snapshot with its running flows',
      'test/cli/sandbox/snapshots.test.ts > a copy that fails leaves the store',
      'test/cli/sandbox/snapshots.test.ts > without a store',
    ],
  },
  {
    section: "D-269 The clock of a developer's stack",
    rule: 'The service and the flows of lockerflow dev read a clock that a verb moves forward.',
    heldBy: [
      'test/cli/devAndDemo.test.ts > dev on free ports forwards callbacks, moves its clock, and goes back to a snapshot with its running flows',
      'test/workflows/updates/moveClock.test.ts > a flow in staging',
    ],
  },
  {
    section: 'D-330 A simulator without a second rule book',
    rule: 'A simulated flow does the same as the recorded one, repeats for a seed, and opens no socket.',
    heldBy: ['test/simulator/histories.test.ts', 'test/simulator/simulation.test.ts'],
  },
  {
    section: 'D-335 Windows scaled by a factor',
    rule: 'A factor of the worker scales every window of a plan, which contains it. A worker in production refuses it. The report names the exceptions, and a case with a date is not run.',
    heldBy: [
      'test/activities/plan/windowFactor.test.ts > a factor',
      'test/activities/plan/windowFactor.test.ts > a worker',
      'test/cases/report.test.ts > the report > names the windows that the factor does not scale',
      'test/cases/unsupported.test.ts',
    ],
  },
  {
    section: 'D-319 A short benchmark in every run of the tests',
    rule: 'Bookings, refusals and deliveries of callbacks that fall below half of their bar fail the tests.',
    heldBy: ['test/bench/short.test.ts'],
  },
  {
    section: 'D-375 Time lines that are compared with real parts',
    rule: 'The time lines of recorded histories and of recorded test cases equal those of the simulator. The cases take every way of every flow.',
    heldBy: ['test/simulator/histories.test.ts', 'test/simulator/recordedCases.test.ts'],
  },
  {
    section: 'D-385 Who plays the stories of cases and users',
    rule: 'A case with a story plays itself in lockerflow dev, also after a restore, beside lockerflow simulate stories, and where a program has connected.',
    heldBy: [
      'test/cli/devAndDemo.test.ts > dev on free ports forwards callbacks, moves its clock, and goes back to a snapshot with its running flows',
      'test/cli/simulateStories.test.ts',
      'test/compose/config.test.ts > the container of stories has its profile, and runs a verb with the dispatcher of the topology',
      'test/testing/connectedStories.test.ts',
      'test/testing/stories.test.ts',
    ],
  },
]
