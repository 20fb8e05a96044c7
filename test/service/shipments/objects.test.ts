import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { type Site, startSite } from '../../support/service/site.ts'
import type { Step } from '../../support/service/steps.ts'
import { expectNothing } from '../../support/service/unchanged.ts'

const drill = {
  referenceNo: 'o-1',
  description: 'A drill',
  weight: 1_250.5,
  count: 2,
  dimension: { width: 10, height: 20.5, length: 30 },
}
const blank = { referenceNo: null, description: null, weight: null, count: null, dimension: null }

test('objects are shown in the order in which they were added, each with its shipment only (SPEC-14, SPEC-52)', async () => {
  const site = await startSite()
  for (const step of ['Stock', 'Stock'] as const) await site.run(step)
  const first = await add(site, 'a', drill)
  const second = await add(site, 'a', {})
  const other = await add(site, 'b', { weight: 0 })
  expect((await site.read('a')).objects).toEqual([
    { shipmentObjectUid: first, ...drill },
    { shipmentObjectUid: second, ...blank },
  ])
  expect((await site.read('b')).objects).toEqual([{ shipmentObjectUid: other, ...blank, weight: 0 }])
  const { items } = await site.world.call('GetShipments', {})
  expect(items.map(({ objects }) => objects.length)).toEqual([2, 1])
})

test('adding and removing sends no callback, and the shipment is listed as changed (SPEC-88)', async () => {
  const site = await startSite()
  await site.run('Stock')
  const { updated_at, ...there } = await stored(site)
  await site.callbacks()
  for (const step of ['addObject a', 'removeObject a'] as const) {
    site.world.service.advance(60_000)
    const fields = step === 'addObject a' ? { changePickUpAccess: false, changeDropOffAccess: null } : {}
    const since = site.world.service.settings.clock()
    expect((await site.run(step, fields)).body.error).toBeNull()
    const now = await stored(site)
    expect(now).toMatchObject(there)
    expect(now.updated_at).toBeGreaterThanOrEqual(since)
    expect(now.updated_at).toBeGreaterThan(updated_at)
  }
  expect(await site.callbacks()).toEqual([])
})

test('a removed object is gone, the others stay, and it cannot be removed again (SPEC-54)', async () => {
  const site = await startSite()
  await site.run('Stock')
  const first = await add(site, 'a', drill)
  const second = await add(site, 'a', {})
  const { body } = await site.run('removeObject a', { shipmentObjectUid: first })
  expect(body).toEqual({
    shipmentUid: site.uids.get('a'),
    shipmentObjectUid: first,
    success: true,
    error: null,
    message: null,
  })
  expect((await site.read('a')).objects).toMatchObject([{ shipmentObjectUid: second }])
  const again = await site.run('removeObject a', { shipmentObjectUid: first })
  expect(again.body.error).toBe('InvalidShipmentObject')
})

test('the objects of a shipment that has ended are still shown', async () => {
  const site = await startSite()
  await site.run('Issue')
  const uid = await add(site, 'a', drill)
  for (const step of ['dropOff a', 'pickUp a'] as const) await site.run(step)
  expect(await site.read('a')).toMatchObject({ stateCode: 'Completed', objects: [{ shipmentObjectUid: uid }] })
})

test('the same object with the same Idempotency-Key is added once', async () => {
  const site = await startSite()
  await site.run('Stock')
  const body = { shipmentUid: site.uids.get('a'), details: drill }
  const send = () => site.world.service.call('AddShipmentObject', body, { headers: { 'idempotency-key': 'k' } })
  const first = await send()
  expect(first.body.success).toBe(true)
  expect((await send()).text).toBe(first.text)
  expect((await site.read('a')).objects).toHaveLength(1)
})

const ended: Step[][] = [
  ['Stock', 'addObject a', 'cancel a'],
  ['Issue', 'addObject a', 'dropOff a', 'pickUp a'],
]
const rows: { before: Step[]; step: Step; fields?: object; error: ErrorCode }[] = [
  { before: [], step: 'addObject none', error: 'InvalidShipment' },
  ...ended.map(before => ({ before, step: 'addObject a', error: 'InvalidShipmentState' }) as const),
  { before: [], step: 'removeObject none', error: 'InvalidShipment' },
  { before: ['Stock'], step: 'removeObject a', error: 'InvalidShipmentObject' },
  { before: ['Stock', 'cancel a'], step: 'removeObject a', error: 'InvalidShipmentObject' },
  ...ended.map(before => ({ before, step: 'removeObject a', error: 'InvalidShipmentState' }) as const),
]

describe('a refusal changes nothing:', () => {
  test.each(rows)('$error: $step after $before', async ({ before, step, error }) => {
    const site = await startSite()
    for (const one of before) expect((await site.run(one)).body.error).toBeNull()
    await expectNothing(site, async () => {
      const { status, body } = await site.run(step)
      expect({ status, body }).toEqual({ status: 200, body: { success: false, error, message: expect.any(String) } })
    })
  })

  test('InvalidShipmentObject: the object of another shipment', async () => {
    const site = await startSite()
    for (const step of ['Stock', 'Stock', 'addObject b'] as const) await site.run(step)
    const shipmentObjectUid = (await site.read('b')).objects[0]?.shipmentObjectUid
    await expectNothing(site, async () => {
      const strange = await site.run('removeObject a', { shipmentObjectUid })
      const unknown = await site.run('removeObject a', { shipmentObjectUid: 'none' })
      expect(strange.body.error).toBe('InvalidShipmentObject')
      expect(strange.text).toBe(unknown.text)
    })
  })

  test.each([
    ['addObject', 'AddShipmentObject'],
    ['removeObject', 'RemoveShipmentObject'],
  ] as const)('the table has every refusal of %s', (verb, name) => {
    const here = new Set(rows.filter(({ step }) => step.startsWith(verb)).map(({ error }) => error))
    // test/service/shipments/bounds.test.ts has the limit of objects.
    const declared = operations[name].errors.filter(code => code !== 'TooManyObjects')
    expect([...here].sort()).toEqual([...declared].sort())
  })
})

test.each([
  ['addObject a', 'shipmentUid', { shipmentUid: undefined }],
  ['addObject a', 'details', { details: undefined }],
  ['addObject a', 'details', { details: null }],
  ['addObject a', 'details.weight', { details: { weight: -1 } }],
  ['addObject a', 'details.count', { details: { count: 0 } }],
  ['addObject a', 'details.count', { details: { count: 1.5 } }],
  ['addObject a', 'details.dimension.width', { details: { dimension: { width: 0.9, height: 1, length: 1 } } }],
  ['addObject a', 'details.dimension.length', { details: { dimension: { width: 1, height: 1 } } }],
  ['addObject a', 'details.referenceNo', { details: { referenceNo: 'x'.repeat(101) } }],
  ['addObject a', 'changePickUpAccess', { changePickUpAccess: 'yes' }],
  ['removeObject a', 'shipmentUid', { shipmentUid: undefined }],
  ['removeObject a', 'shipmentObjectUid', { shipmentObjectUid: undefined }],
] satisfies [Step, string, object][])('%s: InvalidRequest for %s (SPEC-52, SPEC-54)', async (step, field, fields) => {
  const site = await startSite()
  for (const one of ['Stock', 'addObject a'] as const) await site.run(one)
  const { status, body } = await site.run(step, fields)
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
  expect(body.message?.startsWith(field)).toBe(true)
  expect((await site.read('a')).objects).toHaveLength(1)
})

async function add(site: Site, letter: string, details: object): Promise<unknown> {
  const { body } = await site.run(`addObject ${letter}`, { details })
  const response = { shipmentUid: site.uids.get(letter), shipmentObjectUid: expect.any(String) }
  expect(body).toEqual({ ...response, success: true, error: null, message: null })
  return body.shipmentObjectUid
}

async function stored({ world }: Site) {
  return world.service.store.selectFrom('shipments').selectAll().executeTakeFirstOrThrow()
}
