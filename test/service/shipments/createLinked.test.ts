import { describe, expect, test } from 'vitest'
import type { ShipmentItem } from '#contract'
import { type Site, startSite } from '../../support/service/site.ts'
import type { Step } from '../../support/service/steps.ts'

interface Row {
  readonly before: Step[]
  readonly step: Step
  readonly fields?: object
  /** The shipments that the response names, in order. */
  readonly returned: string
  /** The visible fields of each shipment. */
  readonly makes: (site: Site) => Record<string, Partial<ShipmentItem>>
}

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'
const unlinked = { swapsShipmentUid: null, priorShipmentUid: null, circularPriorShipmentUid: null }
const uid = ({ uids }: Site, letter: string) => uids.get(letter) ?? null
const named = (name: string) => ({ ReferenceNo: `${name}-no`, ReferenceCaseNo: `${name}-case`, Description: name })
const shown = (name: string) => ({ referenceNo: `${name}-no`, referenceCaseNo: `${name}-case`, description: name })
const blank = { referenceNo: null, referenceCaseNo: null, description: null }
const stock: Step[] = ['Stock', 'dropOff a']

const rows: Row[] = [
  {
    before: [],
    step: 'Intake',
    fields: { Details: named('details') },
    returned: 'a',
    makes: ({ users }) => ({
      a: { fromUserUid: users.ada, toUserUid: users.dispatcher, ...unlinked, ...shown('details') },
    }),
  },
  {
    before: [],
    step: 'IssueAndSwapIntake',
    fields: { Details: named('details'), Return: named('return') },
    returned: 'ab',
    makes: site => ({
      a: { fromUserUid: site.users.dispatcher, toUserUid: site.users.ada, ...unlinked, ...shown('details') },
      b: {
        fromUserUid: site.users.ada,
        toUserUid: site.users.dispatcher,
        ...unlinked,
        swapsShipmentUid: uid(site, 'a'),
        ...shown('return'),
      },
    }),
  },
  {
    before: [],
    step: 'IssueAndSwapIntake',
    fields: { Details: named('details') },
    returned: 'ab',
    makes: () => ({ a: shown('details'), b: blank }),
  },
  {
    before: ['Intake'],
    step: 'StockAfterSwapIntake a',
    fields: { Details: named('details') },
    returned: 'b',
    makes: site => ({
      b: {
        fromUserUid: site.users.dispatcher,
        toUserUid: null,
        ...unlinked,
        swapsShipmentUid: uid(site, 'a'),
        ...shown('details'),
      },
    }),
  },
  {
    before: [],
    step: 'IntakeAndCircularStock',
    fields: { Details: named('details') },
    returned: 'ab',
    makes: site => ({
      a: { fromUserUid: site.users.ada, toUserUid: site.users.dispatcher, ...unlinked, ...shown('details') },
      b: {
        fromUserUid: site.users.dispatcher,
        toUserUid: null,
        ...unlinked,
        circularPriorShipmentUid: uid(site, 'a'),
        ...shown('details'),
      },
    }),
  },
  {
    before: stock,
    step: 'IssueFromStock a',
    returned: 'a',
    makes: ({ users }) => ({
      a: { fromUserUid: users.dispatcher, toUserUid: users.ada, ...unlinked, ...shown('stock') },
    }),
  },
  {
    before: stock,
    step: 'IssueFromStock a',
    fields: { Issue: { ReferenceCaseNo: 'issued' } },
    returned: 'a',
    makes: () => ({ a: { ...shown('stock'), referenceCaseNo: 'issued' } }),
  },
  {
    before: stock,
    step: 'IssueFromStock a',
    fields: { Issue: { ReferenceCaseNo: null } },
    returned: 'a',
    makes: () => ({ a: shown('stock') }),
  },
  {
    before: stock,
    step: 'IssueFromStockAndSwapIntake a',
    fields: { Issue: { ReferenceCaseNo: 'issued' }, Return: named('return') },
    returned: 'ab',
    makes: site => ({
      a: { toUserUid: site.users.ada, ...unlinked, ...shown('stock'), referenceCaseNo: 'issued' },
      b: {
        fromUserUid: site.users.ada,
        toUserUid: site.users.dispatcher,
        ...unlinked,
        swapsShipmentUid: uid(site, 'a'),
        ...shown('return'),
      },
    }),
  },
  {
    before: stock,
    step: `${lend} a`,
    fields: { Issue: { ReferenceCaseNo: 'issued' }, Return: named('return'), Details: named('details') },
    returned: 'abc',
    makes: site => ({
      a: { toUserUid: site.users.ada, ...unlinked, ...shown('stock'), referenceCaseNo: 'issued' },
      b: {
        fromUserUid: site.users.ada,
        toUserUid: site.users.dispatcher,
        ...unlinked,
        priorShipmentUid: uid(site, 'a'),
        ...shown('return'),
      },
      c: {
        fromUserUid: site.users.dispatcher,
        toUserUid: null,
        ...unlinked,
        circularPriorShipmentUid: uid(site, 'b'),
        ...shown('details'),
      },
    }),
  },
  {
    before: stock,
    step: `${lend} a`,
    fields: { Issue: { ReferenceCaseNo: 'issued' } },
    returned: 'abc',
    makes: () => ({ b: blank, c: shown('stock') }),
  },
  {
    before: stock,
    step: `${lend} a`,
    fields: { Details: { ReferenceCaseNo: 'again', Description: null } },
    returned: 'abc',
    makes: () => ({ c: { ...shown('stock'), referenceCaseNo: 'again' } }),
  },
]

describe('users, details and links, in the order of the specification (SPEC-11, SPEC-37, SPEC-46)', () => {
  test.each(rows)('$step with $fields: $returned', async ({ before, step, fields, returned, makes }) => {
    const site = await startSite()
    for (const one of before) await site.run(one, { Details: named('stock') })
    const response = await site.run(step, fields)
    expect(site.lettersIn(response)).toBe(returned)
    for (const [letter, seen] of Object.entries(makes(site))) expect(await site.read(letter)).toMatchObject(seen)
  })
})

test('the same issue with the same Idempotency-Key is done once', async () => {
  const { world, ...site } = await startSite()
  for (const step of stock) await site.run(step)
  const body = { PriorShipmentUid: site.uids.get('a'), ToUserUid: site.users.ada }
  const again = { headers: { 'idempotency-key': 'k' } }
  const first = await world.service.call('CreateLocalShipmentAsIssueFromStockAndSwapIntake', body, again)
  expect(first.body).toMatchObject({ success: true, shipmentUids: [site.uids.get('a'), expect.any(String)] })
  const second = await world.service.call('CreateLocalShipmentAsIssueFromStockAndSwapIntake', body, again)
  expect(second.text).toBe(first.text)
})

test.each([
  { what: 'an intake of CreateLocalShipment', before: ['Local'], fields: { ToUserUid: null }, prior: 'a' },
  { what: 'an intake without a receiver', before: ['Intake', 'removeReceiver a'], prior: 'a' },
  { what: 'the intake of a swap', before: ['IssueAndSwapIntake'], prior: 'b' },
  { what: 'the intake of a loan', before: [...stock, `${lend} a`, 'cancel c'], prior: 'b' },
] satisfies { what: string; before: Step[]; fields?: object; prior: string }[])(
  'stock can swap $what',
  async ({ before, prior, ...row }) => {
    const site = await startSite()
    for (const step of before) await site.run(step, 'fields' in row ? row.fields : {})
    const { body } = await site.run(`StockAfterSwapIntake ${prior}`)
    expect(body.error).toBeNull()
  },
)
