import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type Handling, pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { inAttempt, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()

const rejected = { kind: 'status', status: 429 } as const
const unanswered = { kind: 'loseAnswer' } as const

/** The attempts before the last one, by their number. Attempts that are missing were lost with their worker. */
const cases: readonly [
  what: string,
  earlier: Readonly<Record<number, Handling>>,
  last: number,
  certain: true | undefined,
][] = [
  ['all rejected', { 1: rejected, 2: rejected }, 3, true],
  ['one without a response', { 1: rejected, 2: unanswered }, 3, undefined],
  ['one without a response, and later ones rejected', { 1: unanswered, 2: rejected, 3: rejected }, 4, undefined],
  ['one lost with its worker', { 1: rejected }, 3, undefined],
]

test.each(cases.flatMap(each => [[true, ...each] as const, [false, ...each] as const]))(
  'an attempt to book (idempotent: %s) after %s',
  async (idempotent, _, earlier, last, certain) => {
    const order = await orderOf(world, 'stock', { request: parcel, caseNo: `A-${randomUUID()}` })
    const profile = { ...fullProfile, idempotent }
    const attempt = (number: number, handling: Handling) => {
      world.toService.rule = ({ path }) => (path.includes('/Create') ? handling : pass)
      return inAttempt(number, () => world.activities.bookShipments({ ...order, profile }).catch(error => error))
    }
    for (const [number, handling] of Object.entries(earlier)) await attempt(Number(number), handling)
    const failure = await attempt(last, rejected)
    // Without a key, the next attempt finds what one without a response has booked.
    if (!idempotent && Object.values(earlier).includes(unanswered)) expect(failure).toMatchObject([[{}]])
    else expect(failure.details).toMatchObject([{ attempt: last, outcomeUnknown: false }])
    expect(failure.details?.[0].earlierCertain).toBe(certain)
  },
)
