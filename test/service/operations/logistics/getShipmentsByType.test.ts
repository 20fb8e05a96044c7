import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationName, operations, type RequestOf } from '#contract'
import { openSite, type Site } from '../../../support/service/site.ts'

let site: Site

/** a an issue at drop off, b to collect, c stock that was cancelled, d to collect and cancelled, e kept. */
beforeAll(async () => {
  site = await openSite()
  const Details = { ReferenceCaseNo: 'case' }
  const makings = [
    'Issue',
    'CollectOnly',
    'Stock',
    'cancel c',
    'CollectOnlyByUser',
    'cancel d',
    'CollectOnlyKept',
  ] as const
  for (const step of makings) expect((await site.run(step, { Details })).body.error).toBeNull()
  for (const step of ['addObject b', 'addObject a'] as const) expect((await site.run(step)).body.error).toBeNull()
})

afterAll(() => site.stop())

const local = 'GetLocalShipments'
const collectOnly = 'GetCollectOnlyShipments'
type Listing = typeof local | typeof collectOnly | 'GetShipments'

const rows: { what: string; ask: RequestOf<'GetShipments'>; finds: Record<Listing, string> }[] = [
  { what: 'no filter', ask: {}, finds: { GetShipments: 'abcde', [local]: 'ac', [collectOnly]: 'bde' } },
  {
    what: 'active ones',
    ask: { activeShipments: true },
    finds: { GetShipments: 'abe', [local]: 'a', [collectOnly]: 'be' },
  },
  {
    what: 'a state',
    ask: { shipmentState: ['Cancelled'] },
    finds: { GetShipments: 'cd', [local]: 'c', [collectOnly]: 'd' },
  },
  {
    what: 'newest first',
    ask: { sortBy: 'CreatedDesc' },
    finds: { GetShipments: 'edcba', [local]: 'ca', [collectOnly]: 'edb' },
  },
  {
    what: 'a case',
    ask: { referenceCaseNo: 'case' },
    finds: { GetShipments: 'abcde', [local]: 'ac', [collectOnly]: 'bde' },
  },
]

describe.each(['GetShipments', local, collectOnly] as const)('%s lists by', name => {
  test.each(rows)('$what', async ({ ask, finds }) => {
    const answer = await site.world.call(name, ask)
    expect(letters(answer)).toBe(finds[name])
    expect(answer.totalItems).toBe(finds[name].length)
  })

  test('the same items as another listing, in the same form', async () => {
    const { items } = await site.world.call('GetShipments', {})
    const there = await site.world.call(name, {})
    expect(there.items).toEqual(
      items.filter(({ shipmentUid }) => there.items.some(one => one.shipmentUid === shipmentUid)),
    )
    expect(there.items.some(({ objects }) => objects.length === 1)).toBe(true)
  })
})

test.each([
  [local, 'LocalPupShipment'],
  [collectOnly, 'CollectOnlyShipment'],
] as const)('%s lists nothing but %s', async (name, type) => {
  const { items } = await site.world.call(name, {})
  expect(new Set(items.map(({ shipmentType }) => shipmentType))).toEqual(new Set([type]))
})

test('the pages of one type are counted separately', async () => {
  const answer = await site.world.call(collectOnly, { pageNo: 2, pageSize: 2 })
  expect(letters(answer)).toBe('e')
  expect(answer).toMatchObject({ pageNo: 2, pageSize: 2, totalItems: 3, totalPages: 2 })
})

test.each([local, collectOnly] satisfies OperationName[])(
  '%s has the request and response of GetShipments',
  async name => {
    expect(operations[name].request).toBe(operations.GetShipments.request)
    expect(operations[name].response).toBe(operations.GetShipments.response)
    expect(await site.world.call(name, { shipmentState: ['Lost'] })).toMatchObject({ error: 'InvalidRequest' })
  },
)

function letters({ items }: { items: readonly { shipmentUid: string }[] }): string {
  const names = new Map([...site.uids].map(([letter, uid]) => [uid, letter]))
  return items.map(({ shipmentUid }) => names.get(shipmentUid) ?? '?').join('')
}
