// Calls of a flow client that was given a flow of a team, as callers write them. See typed.ts.
import type { Client } from '@temporalio/client'
import { createFlowClient } from '#client'
import type { UndoRun } from '#flows'
import type { ActivitiesFor } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'

const caseNo = 'C-1'
const request = {
  PupUid: 'pup-1',
  customerUid: 'u-1',
  size: { width: 30, height: 15, length: 40 },
  neededBy: '2026-12-01T12:00:00Z',
}

export async function accepted(client: Client): Promise<unknown[]> {
  const flows = createFlowClient(client, { flows: [repairShop] })
  const booked = await flows.startAndWaitForBooking('repairShop', { caseNo, request, windows: { pickUp: '48h' } })
  const roles: ('intake' | 'back')[] = booked.kind === 'Booked' ? booked.shipments.map(({ role }) => role) : []
  await flows.answer<'repairShop'>(caseNo, { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' })
  await flows.answer(caseNo, { step: 'offer', answer: 'agree' })
  const ended = await flows.result<'repairShop'>(caseNo)
  const cents: number | null = ended.kind === 'Ended' ? ended.result.cents : null
  const report: string | null = ended.kind === 'Ended' ? ended.result.report : null
  await flows.start('stock', { caseNo, request: { ...request, ...parcel } })
  return [roles, cents, report]
}

const noted = {
  name: 'noted',
  summary: 'A text is noted.',
  input: { note: { optional: 'text' } },
  steps: [
    {
      name: 'note',
      summary: 'The text is noted.',
      run: 'takeNote',
      with: { note: { from: 'input.note' } },
      keep: { noteNo: { optional: 'text' } },
      undo: 'dropNote',
      timeout: '1m',
    },
  ],
} as const satisfies FlowDeclaration

/** JSON leaves out a field that is undefined, as it does in requests of the built-in flows. */
export async function acceptedUndefined(
  client: Client,
  note: string | undefined,
): Promise<ActivitiesFor<typeof noted>> {
  const flows = createFlowClient(client, { flows: [noted] })
  await flows.start('noted', { caseNo, request: { note } })
  return { takeNote: async () => ({ noteNo: note }), dropNote: async (_undo: UndoRun) => {} }
}

const parts = {
  name: 'parts',
  summary: 'Each part goes into a locker of its own, and staff ask for more.',
  input: { parts: { list: { fields: { sku: 'text', size: 'integer' } } } },
  steps: [
    {
      name: 'all',
      summary: 'Each part is packed.',
      forEach: 'input.parts',
      item: 'part',
      atMost: 9,
      steps: [
        { name: 'locker', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIssue', as: { issue: 'packed' } },
        { name: 'fit', summary: 'It fits.', ask: { yes: {}, no: { why: 'text' } }, who: 'staff', window: null },
      ],
      collect: { size: { from: 'part.size' }, why: { from: 'fit.why' }, uid: { from: 'packed.shipmentUid' } },
    },
    {
      name: 'race',
      summary: 'The first one counts.',
      parallel: [
        { name: 'left', steps: [{ name: 'pause', summary: 'A while passes.', sleep: '1h' }] },
        {
          name: 'right',
          steps: [
            {
              name: 'rounds',
              summary: 'Again.',
              repeat: { atMost: 3 },
              steps: [
                { name: 'more', summary: 'More?', ask: { yes: { count: 'integer' } }, who: 'staff', window: null },
              ],
            },
          ],
        },
      ],
      until: 'first',
    },
    {
      name: 'either',
      summary: 'One of two.',
      switch: [{ steps: [{ name: 'taken', summary: 'It is taken.', wait: { packed: 'Completed' }, window: null }] }],
    },
  ],
  outputs: {
    items: 'all.items',
    failed: 'all.failed',
    first: 'race.first',
    rounds: 'rounds.rounds',
    ended: 'taken.ended',
    count: 'more.count',
  },
} as const satisfies FlowDeclaration

export async function acceptedBlocks(client: Client): Promise<unknown[]> {
  const flows = createFlowClient(client, { flows: [parts] })
  const booked = await flows.startAndWaitForBooking('parts', {
    caseNo,
    request: { parts: [{ sku: 'A-1', size: 3 }] },
    windows: { more: '1h' },
  })
  const roles: ('packed' | `packed[${string}` | `packed#${string}`)[] =
    booked.kind === 'Booked' ? booked.shipments.map(({ role }) => role) : []
  await flows.answer<'parts'>(caseNo, { step: 'fit', item: 'A-1', answer: 'no', fields: { why: 'too big' } })
  await flows.answer<'parts'>(caseNo, { step: 'more', answer: 'yes', fields: { count: 2 } })
  const ended = await flows.result<'parts'>(caseNo)
  if (ended.kind !== 'Ended') return roles
  const { items, failed, first, rounds, ended: how, count } = ended.result
  const item: { key: string; size?: number; why?: string; uid?: string } | undefined = items?.[0]
  const numbers: (number | null)[] = [failed, rounds, count]
  const texts: ['left' | 'right' | null, 'reached' | 'timedOut' | null] = [first, how]
  return [item, ...numbers, ...texts]
}

export async function rejectedBlocks(client: Client): Promise<void> {
  const flows = createFlowClient(client, { flows: [parts] })
  // @ts-expect-error An answer of another step.
  await flows.answer<'parts'>(caseNo, { step: 'more', answer: 'no' })
  // @ts-expect-error The step is not in an item.
  await flows.answer<'parts'>(caseNo, { step: 'more', item: 'A-1', answer: 'yes', fields: { count: 2 } })
  // @ts-expect-error A step that the flow does not have.
  await flows.start('parts', { caseNo, request: { parts: [] }, windows: { left: '1h' } })
  const ended = await flows.result<'parts'>(caseNo)
  // @ts-expect-error No such role.
  if (ended.kind === 'Ended') ended.result.shipments[0]?.role === 'issue'
  // @ts-expect-error A field that items do not collect.
  if (ended.kind === 'Ended') ended.result.items?.[0]?.sku
  // @ts-expect-error No branch has this name.
  if (ended.kind === 'Ended') ended.result.first === 'middle'
}

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

export async function rejected(client: Client): Promise<void> {
  const flows = createFlowClient(client, { flows: [repairShop] })
  // @ts-expect-error A flow that the client was not given.
  await flows.start('bikeRental', { caseNo, request })
  // @ts-expect-error No neededBy, which the input has.
  await flows.start('repairShop', { caseNo, request: { ...request, neededBy: undefined } })
  // @ts-expect-error A field of the wrong type.
  await flows.start('repairShop', { caseNo, request: { ...request, size: 3 } })
  // @ts-expect-error A step that the flow does not have.
  await flows.start('repairShop', { caseNo, request, windows: { dropOff: '48h' } })
  // @ts-expect-error A step that does not ask.
  await flows.answer<'repairShop'>(caseNo, { step: 'label', answer: 'priced', fields: { cents: 1 } })
  // @ts-expect-error An answer of another step.
  await flows.answer<'repairShop'>(caseNo, { step: 'quote', answer: 'agree' })
  // @ts-expect-error A field of another answer.
  await flows.answer<'repairShop'>(caseNo, { step: 'quote', answer: 'priced', fields: { why: 'burnt' } })
  // @ts-expect-error No fields, which the answer needs.
  await flows.answer<'repairShop'>(caseNo, { step: 'quote', answer: 'hopeless' })
  const ended = await flows.result<'repairShop'>(caseNo)
  // @ts-expect-error An output that the flow does not have.
  if (ended.kind === 'Ended') ended.result.stockShipmentUid
}
