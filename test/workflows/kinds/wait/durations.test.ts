import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { book } from '../../../support/flows/booking.ts'
import { failedTasks } from '../../../support/flows/history.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** A time beyond the range of Date: formatting it throws. */
const tooLong = '999999999d'

describe('a duration beyond the range of Date', () => {
  const world = useWorld()

  test.each([
    ['booking', tooLong],
    ['dropOff', tooLong],
    ['dropOff', '9999999d'],
    ['dropOff', '3651d'],
    ['dropOff', '87601h'],
  ] as const)('as the window %s, %s is rejected by name', async (stage, window) => {
    const caseNo = world.newCase(0)
    const refused = { kind: 'Refused', code: 'InvalidFlowInput', message: expect.stringMatching(`windows.${stage}: `) }
    const input = { caseNo, request: parcel, windows: { [stage]: window } }
    expect(await world.flows.startAndWaitForBooking('stock', input)).toEqual(refused)
    expect(await world.flows.result(caseNo)).toEqual(refused)
    expect(await failedTasks(world, caseNo)).toEqual([])
  })

  test('as the booking window, more than the life of an idempotency key is rejected', async () => {
    const caseNo = world.newCase(0)
    const input = { caseNo, request: parcel, windows: { booking: '13h' } } as const
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({
      code: 'InvalidFlowInput',
      message: expect.stringMatching(/^windows.booking: must be at most 12h/),
    })
  })

  test.each([
    tooLong,
    '3651d',
    '-1d',
    '0s',
    '1e3d',
    // A list of arguments.
    [['24h']],
    3_600_000,
  ])('as the extension of a window, %j is rejected', async by => {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '300ms' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    const decision = { decision: 'extend', by } as never
    expect(await world.flows.decide(caseNo, decision)).toMatchObject({
      kind: 'Refused',
      code: 'InvalidFlowInput',
      message: expect.stringMatching(/^by: /),
    })
    expect(await world.flows.decide(caseNo, { decision: 'extend', by: '3650d' })).toMatchObject({ kind: 'Decided' })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await failedTasks(world, caseNo)).toEqual([])
  })
})

describe.each([
  ['that is asked now and then', fullProfile],
  ['that cannot be asked', { ...fullProfile, reads: false, readsByCase: false }],
])('the longest window, with a service %s', (_, profile) => {
  const world = useWorld({ profile })

  test('is accepted', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '3650d' })
    const { deadline } = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    const days = (Date.parse(deadline ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(3_650)
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', leftOver: [] })
    expect(await failedTasks(world, caseNo)).toEqual([])
  })
})
