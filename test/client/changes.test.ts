import { describe, expect, test } from 'vitest'
import type { FlowShipment, FlowStatus } from '#flows'
import { changesSince, nothingSeen, readCursor, shipmentChanges } from '../../client/changes.ts'

const issue: FlowShipment = {
  role: 'issue',
  shipmentUid: 'i-1',
  stateCode: 'ReadyForDropOff',
  pupUid: 'pup-1',
  lockerName: '1',
}
const deadline = '2026-12-01T12:00:00.000Z'
const waiting: FlowStatus = {
  flow: 'issue',
  caseNo: 'C-1',
  state: 'waiting',
  stage: 'dropOff',
  step: 'dropOff',
  asks: null,
  overdue: false,
  overdueSince: null,
  since: deadline,
  deadline,
  shipments: [issue],
  rejections: [],
  result: null,
  failure: null,
}
const overdue = { ...waiting, state: 'overdue', overdue: true, overdueSince: deadline } as const
const placed = { ...waiting, stage: 'pickUp', shipments: [{ ...issue, stateCode: 'ReadyForPickup' }] }

/** The changes without their cursors, from one status to the next ones. */
function changes(...statuses: readonly FlowStatus[]): unknown[][] {
  let seen = nothingSeen
  return statuses.map(status => {
    const found = changesSince(seen, status)
    seen = readCursor(found.at(-1)?.cursor ?? '') ?? seen
    return found.map(({ cursor: _, ...change }) => change)
  })
}

const stage = { kind: 'Stage', stage: 'dropOff', state: 'waiting', deadline }

test('the first status is new as a whole, and nothing in it a second time', () => {
  expect(changes(waiting, waiting)).toEqual([[{ kind: 'Shipment', shipment: issue }, stage], []])
})

test('a shipment and a stage change together', () => {
  expect(changes(waiting, placed)[1]).toEqual([
    { kind: 'Shipment', shipment: placed.shipments[0] },
    { ...stage, stage: 'pickUp' },
  ])
})

test('a flow becomes overdue, again with each reminder, and is extended', () => {
  const later = '2026-12-02T12:00:00.000Z'
  const late = { kind: 'Overdue', overdue: true, overdueSince: deadline, stage: 'dropOff', deadline }
  expect(changes(waiting, overdue, { ...overdue, deadline: later }, waiting).slice(1)).toEqual([
    [late],
    [{ ...late, deadline: later }],
    [{ ...late, overdue: false, overdueSince: null }],
  ])
})

test('the next stage is not overdue', () => {
  expect(changes(overdue, placed)[1]?.map(change => (change as { kind: string }).kind)).toEqual(['Shipment', 'Stage'])
})

test('a flow that cleans up has another state and no stage', () => {
  const cleaning = { ...waiting, state: 'cleaningUp', stage: null, deadline: null } as const
  expect(changes(waiting, cleaning)[1]).toEqual([{ kind: 'Stage', stage: null, state: 'cleaningUp', deadline: null }])
})

test('the shipments of a result are compared alone', () => {
  const [known] = changesSince(nothingSeen, waiting)
  const seen = readCursor(known?.cursor ?? '') ?? nothingSeen
  expect(shipmentChanges(seen, waiting.shipments)).toEqual([])
  expect(shipmentChanges(seen, placed.shipments)).toMatchObject([{ shipment: { stateCode: 'ReadyForPickup' } }])
})

describe('a cursor', () => {
  test('in the middle of several changes continues with the others', () => {
    const found = changesSince(nothingSeen, overdue)
    expect(found.map(({ kind }) => kind)).toEqual(['Shipment', 'Stage', 'Overdue'])
    for (const [index, { cursor }] of found.entries()) {
      expect(changesSince(readCursor(cursor) ?? nothingSeen, overdue)).toEqual(found.slice(index + 1))
    }
  })

  test.each([
    '',
    'x',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["", null, null, null]').toString('base64url'),
    Buffer.from('["", null, null, { "S-1": [[]] }]').toString('base64url'),
  ])('%j is not a cursor', text => expect(readCursor(text)).toBeUndefined())
})
