import { describe, expect, test } from 'vitest'
import { fullProfile, withReference } from '#contract/terms'
import { type Handling, pass } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

interface Rejections {
  readonly rejections: number
  readonly seconds: number
  /** How later creates are handled. */
  readonly later?: Handling
}

const refused: Handling = { kind: 'answer', body: { success: false, error: 'NoLockerAvailable', message: null } }

describe.each([
  ['with keys', fullProfile],
  ['without keys', { ...fullProfile, idempotent: false }],
  ['without keys and reads', { ...fullProfile, idempotent: false, reads: false, readsByCase: false }],
])('a service %s that is busy', (_, profile) => {
  const world = useWorld({ profile, createDelay: 1_000 })

  /** The moments of the creates of a case, the first of which are rejected with HTTP 429. */
  function rejectCreates(caseNo: string, { rejections, seconds, later = pass }: Rejections): number[] {
    const moments: number[] = []
    const busy = { kind: 'status', status: 429, headers: { 'retry-after': `${seconds}` } } as const
    world.toService.rule = ({ path, body }) => {
      if (!path.includes('/CreateLocal') || !body.includes(caseNo)) return pass
      return moments.push(performance.now()) <= rejections ? busy : later
    }
    return moments
  }

  test('gets the next create when its Retry-After has passed', async () => {
    const caseNo = world.newCase()
    const moments = rejectCreates(caseNo, { rejections: 2, seconds: 2 })
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
      kind: 'Booked',
    })
    const [first = 0, second = 0, third = 0] = moments
    expect(Math.min(second - first, third - second)).toBeGreaterThan(1_950)
    await world.flows.cancel(caseNo, 'over')
  })

  test('ends the booking with its window, however long its Retry-After is', async () => {
    const caseNo = world.newCase(0)
    rejectCreates(caseNo, { rejections: 9, seconds: 3_600 })
    const input = { caseNo, request: parcel, windows: { booking: '3s' } } as const
    expect(await world.flows.startAndWaitForEnd('stock', input, { timeout: 20_000 })).toMatchObject({
      code: 'BookingGivenUp',
      message: withReference('BookingGivenUp', 'No response within the booking window: RateLimited.'),
    })
  })

  // The first attempt has two seconds, in which a busy machine may not answer.
  test('has certainly booked nothing if it rejected every create, so that nothing is searched', {
    retry: 2,
  }, async () => {
    const caseNo = world.newCase(0)
    const moments = rejectCreates(caseNo, { rejections: 3, seconds: 1, later: refused })
    const end = await world.flows.startAndWaitForEnd('stock', { caseNo, request: parcel }, { timeout: 20_000 })
    expect(end).toMatchObject({ code: 'NoLockerAvailable' })
    expect(moments).toHaveLength(4)
    const scheduled = (await eventsOf(world, caseNo)).flatMap(event => event.activityTaskScheduledEventAttributes ?? [])
    const called = new Set(scheduled.map(({ activityType }) => activityType?.name))
    expect([...called]).toEqual(['planAndBook', 'planFlow', 'bookShipments'].filter(name => called.has(name)))
  })

  test('does not delay a cancellation', async () => {
    const caseNo = world.newCase(0)
    const moments = rejectCreates(caseNo, { rejections: 9, seconds: 50 })
    await world.flows.start('stock', { caseNo, request: parcel })
    await eventually(() => moments.length > 0)
    expect(await world.flows.cancel(caseNo, 'over', { timeout: 20_000 })).toMatchObject({ kind: 'Cancelled' })
  })
})
