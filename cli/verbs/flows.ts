import { script } from '../command/script.ts'
import type { Verb } from '../command/verb.ts'

/** Declarations, histories and builds of flows. */
export const flowsVerbs: readonly Verb[] = [
  {
    name: 'flows',
    summary: 'Check, test, simulate or draw the flows of files.',
    example: 'lockerflow flows check flows/*.yaml',
    passThrough: true,
    load: script(() => import('../flows.ts')),
  },
  {
    name: 'promote',
    summary: 'Make a build of the worker the current one.',
    example: 'lockerflow promote --deployment lockerflow --build-id 2026-11-20 --check',
    passThrough: true,
    load: script(() => import('#worker/promotion')),
  },
  {
    name: 'replay',
    summary: 'Replay exported histories with the current workflows.',
    example: 'lockerflow replay histories',
    passThrough: true,
    load: script(() => import('../replay.ts')),
  },
  {
    name: 'sweep',
    summary: 'List, adopt or cancel bookings of the service that no flow knows.',
    example: 'lockerflow sweep --older-than 15m',
    passThrough: true,
    load: script(() => import('../sweep.ts')),
  },
]
