import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { startSite } from '../../../support/service/site.ts'
import type { Step } from '../../../support/service/steps.ts'
import { expectNothing } from '../../../support/service/unchanged.ts'

const before = { ReferenceNo: 'no', ReferenceCaseNo: 'case', Description: 'A drill' }

test.each([
  { what: 'all three', fields: {}, shows: { referenceNo: 'set-no', referenceCaseNo: 'set-case', description: 'set' } },
  { what: 'no description', fields: { Description: null }, shows: { referenceNo: 'set-no', description: null } },
  { what: 'an empty description', fields: { Description: '' }, shows: { referenceNo: 'set-no', description: null } },
])('overrides the details with $what, changes no state and sends no callback (SPEC-50)', async ({ fields, shows }) => {
  const site = await startSite()
  await site.run('Stock', { Details: before })
  const old = await site.read('a')
  await site.callbacks()
  const { body } = await site.run('setDetails a', fields)
  expect(body).toEqual({ success: true, error: null, message: null })
  expect(await site.read('a')).toEqual({ ...old, referenceCaseNo: 'set-case', ...shows })
  expect(await site.callbacks()).toEqual([])
})

test('the next callback has the new details, and the shipment is listed as changed', async () => {
  const site = await startSite()
  await site.run('Stock', { Details: before })
  site.world.service.advance(60_000)
  const updatedSince = new Date(site.world.service.settings.clock() - 1_000).toISOString()
  const changed = async () => (await site.world.call('GetShipments', { updatedSince })).totalItems
  expect(await changed()).toBe(0)
  await site.run('setDetails a')
  expect(await changed()).toBe(1)
  await site.run('dropOff a')
  await site.callbacks()
  expect(site.receiver.received.at(-1)?.message).toMatchObject({ referenceNo: 'set-no', referenceCaseNo: 'set-case' })
})

test.each(['Issue', 'Stock', 'CollectOnly', 'IntakeAndCircularStock'] as const)('of an active %s', async step => {
  const site = await startSite()
  await site.run(step)
  const [letter] = [...site.uids.keys()].slice(-1)
  expect((await site.run(`setDetails ${letter}`)).body.error).toBeNull()
  expect(await site.read(letter ?? '')).toMatchObject({ description: 'set' })
})

const rows: { before: Step[]; step: Step; error: ErrorCode }[] = [
  { before: [], step: 'setDetails none', error: 'InvalidShipment' },
  { before: ['Issue', 'cancel a'], step: 'setDetails a', error: 'InvalidShipmentState' },
  { before: ['Issue', 'dropOff a', 'pickUp a'], step: 'setDetails a', error: 'InvalidShipmentState' },
]

describe('a refusal changes nothing:', () => {
  test.each(rows)('$error: after $before', async ({ before, step, error }) => {
    const site = await startSite()
    for (const one of before) await site.run(one)
    await expectNothing(site, async () => {
      const { status, body } = await site.run(step)
      expect({ status, body }).toEqual({ status: 200, body: { success: false, error, message: expect.any(String) } })
    })
  })

  test('the table has every refusal', () => {
    expect([...new Set(rows.map(({ error }) => error))].sort()).toEqual(
      [...operations.SetShipmentDetails.errors].sort(),
    )
  })
})

test.each([
  ...['shipmentUid', 'Description', 'ReferenceNo', 'ReferenceCaseNo'].map(field => ({ field, value: undefined })),
  ...['ReferenceNo', 'ReferenceCaseNo'].map(field => ({ field, value: null })),
  ...['ReferenceNo', 'ReferenceCaseNo'].map(field => ({ field, value: 'x'.repeat(101) })),
  { field: 'Description', value: 'x'.repeat(1_001) },
])('$field $value is InvalidRequest, by its name (SPEC-51)', async ({ field, value }) => {
  const site = await startSite()
  await site.run('Stock')
  const { status, body } = await site.run('setDetails a', { [field]: value })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
  expect(body.message).toMatch(new RegExp(`^${field}`))
})
