// Calls of the flow client as callers write them: the compiler accepts the first part, and rejects every call below a
// directive. `npm run types` and types.test.ts check both.
import type { Ended, FlowClient, Refused } from '#client'

const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}
const caseNo = 'C-1'

export async function accepted(flows: FlowClient): Promise<unknown[]> {
  const booked = await flows.startAndWaitForBooking('issueAndSwapIntake', {
    caseNo,
    request: { ...parcel, ToUserUid: 'u-1', Details: { Description: 'A book' } },
    windows: { booking: '30s', swap: '48h' },
  })
  const roles: ('issue' | 'intake')[] = booked.kind === 'Booked' ? booked.shipments.map(({ role }) => role) : []
  const started = await flows.start('intakeAndCircularStock', { caseNo, request: { ...parcel, FromUserUid: 'u-1' } })
  const stockUid: string | null = started.kind === 'CaseFinished' ? started.result.stockShipmentUid : null
  await flows.start('importAccountSuggestions', { caseNo, request: { url: 'https://files.example/users.csv' } })
  const ended = await flows.result<'importAccountSuggestions'>(caseNo)
  const count: number | null = ended.kind === 'Ended' ? ended.result.totalCount : null
  const result = await flows.handle<'stock'>(caseNo).result()
  const flow: 'stock' = result.flow
  return [roles, stockUid, count, flow]
}

export function narrowed({ result }: Ended): string | null {
  return result.flow === 'intakeAndCircularStock' ? result.stockShipmentUid : null
}

export function readCode({ code }: Refused): 'full' | 'other' {
  if (code === 'NoLockerAvailable') return 'full'
  return code === 'aCodeOfAnotherService' ? 'full' : 'other'
}

export async function rejected(flows: FlowClient): Promise<void> {
  // @ts-expect-error A flow that is not declared.
  await flows.start('isue', { caseNo, request: parcel })
  // @ts-expect-error No case number.
  await flows.start('stock', { request: parcel })
  // @ts-expect-error No ToUserUid, which an issue needs.
  await flows.start('issue', { caseNo, request: parcel })
  // @ts-expect-error A field of the wrong type.
  await flows.start('stock', { caseNo, request: { ...parcel, AllowLargerLockers: 'yes' } })
  // @ts-expect-error A field that the operation does not have.
  await flows.start('stock', { caseNo, request: { ...parcel, Tpyo: 'pup-2' } })
  // @ts-expect-error No url, which the flow adds to its operation.
  await flows.start('importAccountSuggestions', { caseNo, request: {} })
  // @ts-expect-error A stage of another flow.
  await flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows: { pickUp: '48h' } })
  // @ts-expect-error A window that is not a duration.
  await flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows: { dropOff: '2 days' } })
  // @ts-expect-error A moment in place of the timeout.
  await flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: new Date() })
  const booked = await flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  // @ts-expect-error A role of another flow.
  if (booked.kind === 'Booked') booked.shipments.find(({ role }) => role === 'issue')
  const ended = await flows.result<'issue'>(caseNo)
  // @ts-expect-error An output of another flow.
  if (ended.kind === 'Ended') ended.result.stockShipmentUid
  // @ts-expect-error An answer that the call does not have.
  if (ended.kind === 'Booked') return
  // @ts-expect-error A decision that is not declared.
  await flows.decide(caseNo, { decision: 'wait' })
}
