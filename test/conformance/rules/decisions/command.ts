import type { Rule } from '../../rule.ts'

/** The decisions on the command. */
export const commandDecisions: readonly Rule[] = [
  {
    section: 'D-251 One program, and its verbs as data',
    rule: 'Every example is a command line of its verb, and runs.',
    heldBy: ['test/cli/examples.test.ts'],
  },
  {
    section: 'D-251 One program, and its verbs as data',
    rule: 'Every verb and every option of the table is completed, and the reference page is made from the table.',
    heldBy: [
      'test/cli/completion.test.ts > every verb is found by its words, and every option by its dashes',
      'test/cli/documentation.test.ts',
    ],
  },
  {
    section: 'D-252 The environment takes precedence over a profile',
    rule: 'A profile adds what is not set, no credentials for another address, and its secrets are for its owner only.',
    heldBy: ['test/cli/profiles.test.ts'],
  },
  {
    section: 'D-253 Checks that start nothing',
    rule: 'Every wrong setting of every process is named, and nothing is stored.',
    heldBy: ['test/cli/check.test.ts'],
  },
  {
    section: 'D-253 Checks that start nothing',
    rule: 'Each part that is broken is found, with its remedy.',
    heldBy: ['test/cli/doctor.test.ts'],
  },
  {
    section: 'D-263 Verbs find the stack of the folder',
    rule: 'A verb uses the stack that runs in its folder, unless a setting or a profile names another service.',
    heldBy: [
      'test/cli/profiles.test.ts > a verb that starts a stack leaves out the profile in use, and takes one that is named',
      'test/cli/profiles.test.ts > the stack of the folder completes the settings of a verb, and not of one that starts a stack',
    ],
  },
  {
    section: 'D-264 Stories on running parts',
    rule: 'A story of a file is played with a running flow, which stays as the story leaves it.',
    heldBy: ['test/cli/story.test.ts'],
  },
  {
    section: 'D-457 Capabilities are found by bookings',
    rule: 'A verb finds which capabilities a service has or lacks by bookings, and leaves none.',
    heldBy: ['test/cli/capabilities.test.ts'],
  },
  {
    section: 'D-508 A start waits for the plan of an unknown flow',
    rule: 'A start of a flow that the command does not know fails with the code of its plan, and a wrong request is not sent.',
    heldBy: [
      'test/cli/flow/verbs.test.ts > a start of a flow that the worker does not know either fails without --wait',
      'test/cli/flow/verbs.test.ts > a start with a field that only the worker knows as wrong fails without --wait',
      'test/cli/flow/verbs.test.ts > a start of a flow that only the worker knows succeeds without --wait',
      'test/cli/flow/verbs.test.ts > %j is used wrongly',
    ],
  },
  {
    section: 'D-432 A command of npm ends with npm',
    rule: 'When the shell of npm has ended, the command ends. Below another parent it stays.',
    heldBy: ['test/cli/run.test.ts > when a shell of %s has ended, a verb of the package %s'],
  },
  {
    section: 'D-519 No proxy on this machine',
    rule: 'A proxy of the environment does not keep the processes of one machine apart. A remote Temporal is reached through it.',
    heldBy: [
      'test/cli/proxy.test.ts',
      'test/cli/devAndDemo.test.ts > dev listens on the ports of the settings, and SIGTERM stops it with its children',
    ],
  },
]
