import { expect, onTestFinished, test } from 'vitest'
import type { Call } from '../../../service/call.ts'
import { countChanges } from '../../../service/shipments/changeRanges.ts'
import { shipmentTotal } from '../../../service/shipments/counts.ts'
import { matchingShipments } from '../../../service/shipments/listFilters.ts'
import { readFarPage, readPage } from '../../../service/shipments/listPages.ts'
import { addRange } from '../../../service/shipments/rangeStates.ts'
import type { StoreTransaction } from '../../../service/store/index.ts'
import { stock } from '../../support/service/callbacks.ts'
import { recordStatements } from '../../support/service/queryPlans.ts'
import { createWorld } from '../../support/world/createWorld.ts'

type Work = (tx: StoreTransaction, number: number) => Promise<unknown>

const counted = { tenantId: 'acme', states: ['Completed', 'Cancelled'], type: undefined } as const

function pageOf(tx: StoreTransaction) {
  const call = { tx, tenantId: 'acme' } as Call
  const matching = matchingShipments(call, { pageNo: 1, pageSize: 50 }, undefined).select('shipments.seq')
  return { call, matching, total: shipmentTotal(tx, counted) }
}

// The connections prepare a limited number of statements.
test.each<[name: string, work: Work]>([
  [
    'a page from the end',
    (tx, offset) => {
      const { call, matching, total } = pageOf(tx)
      const page = { order: ['seq', 'asc'], offset, pageSize: 50, fromEnd: total, bySorting: false } as const
      return readPage(call, matching, page)
    },
  ],
  [
    'a page of ranges',
    (tx, offset) => {
      const { call, matching, total } = pageOf(tx)
      return readFarPage(call, matching, { order: ['seq', 'desc'], offset, pageSize: 50, total, counted })
    },
  ],
  ['a range of shipments', (tx, lastSeq) => addRange(tx, { tenantId: 'acme', after: 0, lastSeq })],
  [
    'a range of changes',
    async (tx, number) => {
      await tx.updateTable('shipments').set({ updated_at: number, state_code: 'Completed' }).execute()
      await countChanges(work => work(tx), Date.now(), 1)
    },
  ],
])('the statements of %s have the same texts for other numbers', async (_name, work) => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  await stock(world)
  const texts = async (number: number) =>
    new Set((await recordStatements(store, tx => work(tx, number))).map(statement => statement.sql))
  const first = await texts(1_000)
  expect(first.size).toBeGreaterThan(0)
  expect(await texts(2_000)).toEqual(first)
})
