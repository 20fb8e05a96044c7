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
