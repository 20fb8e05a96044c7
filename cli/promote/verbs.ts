import type { Verb } from '../command/verb.ts'

/** Builds of the worker. */
export const promoteVerbs: readonly Verb[] = [
  {
    name: 'promote',
    summary: 'Make a build of the worker the current one, at once or in steps.',
    options: [
      { flags: '--deployment <name>', summary: 'The deployment, by default LOCKERFLOW_DEPLOYMENT' },
      { flags: '--build-id <id>', summary: 'The build, by default LOCKERFLOW_BUILD_ID' },
      { flags: '--sample <number>', summary: 'Replay this many of the flows that move, by default all' },
      { flags: '--check', summary: 'Check only, and change nothing' },
      { flags: '--wait <duration>', summary: 'How long to wait for workers of the build; by default not at all' },
      { flags: '--ramp <percentages>', summary: 'Route growing shares of the flows, such as 5,25,100' },
      { flags: '--watch <duration>', summary: 'How long each share is watched, 10m by default' },
      { flags: '--roll-back', summary: 'End the ramp of a build, for example one that a killed command left' },
      {
        flags: '--yes',
        summary: 'With --roll-back: also move the flows of a build that is older than the current one',
      },
    ],
    example: 'lockerflow promote --deployment lockerflow --build-id 2026-11-20 --check',
    stopTimeout: 120_000,
    load: () => import('./actions.ts'),
  },
]
