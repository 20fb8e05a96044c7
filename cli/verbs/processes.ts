import { script } from '../command/script.ts'
import type { Verb } from '../command/verb.ts'

/** The processes, one at a time or all together. */
export const processVerbs: readonly Verb[] = [
  {
    name: 'dev',
    summary: 'Start everything on this machine: Temporal, the service, the gateway and a worker.',
    options: [
      { flags: '--hardware', summary: 'Open doors through a simulator of the hardware' },
      { flags: '--encrypt', summary: 'Encrypt the histories of flows' },
      {
        flags: '--forward <url>',
        summary: 'Send every callback to this local address too, signed with a key that stays',
      },
      { flags: '--ports <auto>', summary: 'auto takes a free port for each part', values: ['auto'] },
    ],
    example: 'lockerflow dev --hardware',
    load: () => import('../dev.ts'),
  },
  {
    name: 'demo',
    summary: 'Start everything, play one loan of each flow, and stop.',
    options: [{ flags: '--keep', summary: 'Keep everything running until Ctrl-C' }],
    example: 'lockerflow demo',
    load: () => import('../demo.ts'),
  },
  {
    name: 'service',
    summary: 'Start the service of the lockers.',
    example: 'lockerflow service',
    passThrough: true,
    load: script(() => import('#service/main')),
  },
  {
    name: 'gateway',
    summary: 'Start the gateway, which passes callbacks to the flows.',
    example: 'lockerflow gateway',
    passThrough: true,
    load: script(() => import('#gateway/main')),
  },
  {
    name: 'worker',
    summary: 'Start a worker, which runs the flows.',
    example: 'lockerflow worker',
    passThrough: true,
    load: script(() => import('#worker/main')),
  },
  {
    name: 'codec',
    summary: 'Start the codec server, which decrypts histories for the Web UI.',
    example: 'lockerflow codec',
    passThrough: true,
    load: script(() => import('#codecServer/main')),
  },
  {
    name: 'hardware',
    summary: 'Start the simulator of the locker hardware.',
    example: 'lockerflow hardware',
    passThrough: true,
    load: script(() => import('#hardware/main')),
  },
  {
    name: 'hardware check',
    aliases: ['hardware:check'],
    summary: 'Check an adapter of locker hardware over HTTP.',
    example: 'lockerflow hardware check --url http://127.0.0.1:8085 --pick-up-point pup-1 --locker locker-1',
    passThrough: true,
    load: script(() => import('#hardware/check')),
  },
]
