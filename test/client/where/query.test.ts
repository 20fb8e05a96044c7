import { describe, expect, test } from 'vitest'
import { compileWhere } from '../../../client/where/query.ts'

const now = Date.UTC(2026, 10, 22, 12)
const open = "ExecutionStatus IN ('Running', 'Paused')"
const closed = "ExecutionStatus NOT IN ('Running', 'Paused')"
const overdue = `(LockerflowOverdue = true AND ${open})`
const notOverdue = `(LockerflowOverdue IS NULL OR LockerflowOverdue = false OR ${closed})`
const notFlowA = "(LockerflowFlow IS NULL OR LockerflowFlow != 'a')"

test.each([
  ['overdue', overdue],
  ['not overdue', notOverdue],
  ['not not overdue', overdue],
  ["overdue and pickUpPoint = 'pup-1'", `(${overdue} AND LockerflowPickUpPoint = 'pup-1')`],
  ['OVERDUE AND pickuppoint = pup-1', `(${overdue} AND LockerflowPickUpPoint = 'pup-1')`],
  ['flow = a', "LockerflowFlow = 'a'"],
  ['flow != a', notFlowA],
  ['flow in (a)', "LockerflowFlow = 'a'"],
  ['flow in (a, "b c")', "(LockerflowFlow = 'a' OR LockerflowFlow = 'b c')"],
  ['not flow in (a, b)', `(${notFlowA} AND (LockerflowFlow IS NULL OR LockerflowFlow != 'b'))`],
  ['step = pickUp', "LockerflowSteps = 'pickUp'"],
  ['outcome = expired', "LockerflowOutcome = 'expired'"],
  ['leftOver', 'LockerflowLeftOver = true'],
  ['not leftOver', '(LockerflowLeftOver IS NULL OR LockerflowLeftOver != true)'],
  ['user = u1 or shipment = s1', "(LockerflowUser = 'u1' OR LockerflowShipments = 's1')"],
  ['not (overdue or flow = a)', `(${notOverdue} AND ${notFlowA})`],
  ['not (overdue and flow = a)', `(${notOverdue} OR ${notFlowA})`],
  ['case = 1 and user = 2 or flow = 3', "((LockerflowCase = '1' AND LockerflowUser = '2') OR LockerflowFlow = '3')"],
  ['case = 1 and (user = 2 or flow = 3)', "(LockerflowCase = '1' AND (LockerflowUser = '2' OR LockerflowFlow = '3'))"],
  ['state = ended', closed],
  ['state != ended', open],
  ['state = waiting', `(LockerflowState = 'waiting' AND ${open})`],
  ['state = booking', `((LockerflowState IS NULL OR LockerflowState = 'booking') AND ${open})`],
  ['state != booking', `((LockerflowState IS NOT NULL AND LockerflowState != 'booking') OR ${closed})`],
  ['started before 2026-11-01', "StartTime < '2026-11-01T00:00:00.000Z'"],
  ['started after 2026-11-01T08:00:00+01:00', "StartTime > '2026-11-01T07:00:00.000Z'"],
  ['not started after 2026-11-01', "StartTime <= '2026-11-01T00:00:00.000Z'"],
  ['started before 48h ago', "StartTime < '2026-11-20T12:00:00.000Z'"],
  ['ended after 1d ago', `(CloseTime > '2026-11-21T12:00:00.000Z' AND ${closed})`],
  ['not ended after 1d ago', `(${open} OR CloseTime <= '2026-11-21T12:00:00.000Z')`],
])('%s', (where, query) => {
  expect(compileWhere(where, now)).toBe(query)
})

describe('no value leaves its quotes', () => {
  test.each([
    ["user = 'o\\'hare'", "LockerflowUser = 'o\\'hare'"],
    ["user = \"o'hare' OR '1' = '1\"", "LockerflowUser = 'o\\'hare\\' OR \\'1\\' = \\'1'"],
    ["user = 'ends with \\\\'", "LockerflowUser = 'ends with \\\\'"],
    ["user = '1' or ExecutionStatus = 'Running'", undefined],
  ])('%s', (where, query) => {
    if (query === undefined) expect(() => compileWhere(where, now)).toThrow('got "ExecutionStatus".')
    else expect(compileWhere(where, now)).toBe(query)
  })
})

describe('a fault names the field or the place', () => {
  test.each([
    ['', 'where: must have a field at its end.'],
    ['overdue and', 'where: must have a field at its end.'],
    ['overdue flow = a', 'where: must continue with "and" or "or" before "flow".'],
    ['overdue = true', 'where: overdue must stand alone, such as overdue or not overdue.'],
    [
      'flow',
      "where: flow must be compared with a value, such as flow = 'value', flow != 'value' or flow in ('a', 'b').",
    ],
    ['flow =', 'where: flow must have a value at its end.'],
    ['flow = )', 'where: flow must have a value before ")".'],
    ['flow in a', 'where: flow in must be followed by values in parentheses.'],
    ['flow in (a', 'where: must have ")" at the end of the values of flow.'],
    ['(overdue', 'where: must have ")" at the end of a group.'],
    ['overdue)', 'where: must continue with "and" or "or" before ")".'],
    ["flow = 'a", 'where: must be readable, "\'a" is not. Close each quote.'],
    ['user before 2026-11-01', 'where: user must be compared with a value'],
    ['started = 2026-11-01', 'where: started must be compared with before or after'],
    ['started before yesterday', 'where: started must be compared with a time, got "yesterday"'],
    ['started before 2026-13-01', 'where: started must be compared with a time'],
    ['started before 2026-02-30', 'where: started must be compared with a time'],
    ['started before 0h ago', 'where: started must be compared with a time'],
    ['state = late', 'where: state must be compared with a state, got "late"'],
    ['outcome = late', 'where: outcome must be compared with an outcome, got "late"'],
    [
      'colour = red',
      'where: must compare one of case, flow, state, step, user, pickUpPoint, shipment, overdue, outcome, leftOver, started, ended',
    ],
    [`flow = '${'x'.repeat(2_000)}'`, 'where: must have at most 2000 characters'],
  ])('%s', (where, message) => {
    expect(() => compileWhere(where, now)).toThrow(message)
  })
})
