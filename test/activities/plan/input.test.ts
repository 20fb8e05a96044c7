import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { type FlowInput, toWorkflowId } from '#flows'
import type { Step } from '#flows/declaration'
import { readInput } from '../../../activities/plan/input.ts'
import { rejectWindows } from '../../../activities/plan/windows.ts'

const caseNo = 'I-1'
const input = { caseNo, request: {} }
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const read = (given: unknown, workflowId = toWorkflowId(caseNo)) =>
  readInput({ flow: 'stock', workflowId, input: given as FlowInput })

describe('a valid input', () => {
  test.each([
    ['without windows', input],
    ['with no windows', { ...input, windows: {} }],
    ['with null for the windows', { ...input, windows: null }],
    ['with a window', { ...input, windows: { dropOff: '48h' } }],
    ['with null for a window', { ...input, windows: { dropOff: null } }],
    ['with a window of days for a step named booking', { ...input, windows: { booking: '3d' } }],
    ['with a request of 100 levels', { ...input, request: { deep: nested(99) } }],
    ['that adopts a booking', { ...input, adopt: true }],
    ['with null for a field of a newer client', { ...input, later: null }, input],
    [
      'that adopts a booking, started with a field of another client',
      { ...input, adopt: true, later: 1 },
      { ...input, adopt: true },
    ],
  ])('%s', (_, given, expected = given) => {
    expect(read(given)).toEqual(expected)
  })
})

describe('an invalid input names the field', () => {
  const length =
    'caseNo: must be 1 to 60 characters, without control characters, lone surrogates, or blanks at its ends, and not "." or ".."'
  const duration = 'must be a duration such as "30s", "30m", "48h" or "3d", at most "3650d"'
  test.each([
    ['no input', undefined, 'input: must be an object with caseNo and request, in JSON.'],
    ['a text', '{"caseNo":"I-1"}', 'input: must be an object with caseNo and request, in JSON.'],
    ['a list', ['I-1', {}], 'input: must be an object with caseNo and request, in JSON.'],
    ['no case number', { request: {} }, 'caseNo is missing'],
    ['an empty case number', { ...input, caseNo: '' }, length],
    ['a case number of 61 characters', { ...input, caseNo: 'x'.repeat(61) }, length],
    ['a blank at the end', { ...input, caseNo: 'I-1 ' }, length],
    ['a control character', { ...input, caseNo: 'I\n1' }, length],
    ['a lone surrogate', { ...input, caseNo: 'I\ud8001' }, length],
    ['a path of one dot', { ...input, caseNo: '.' }, length],
    ['a path of two dots', { ...input, caseNo: '..' }, length],
    ['no request', { caseNo }, 'request is missing'],
    [
      'a request of more than 256 KiB',
      { ...input, request: { note: 'é'.repeat(128 * 1_024) } },
      'request: must have at most 262144 bytes, got 262155.',
    ],
    [
      'a request of 101 levels',
      { ...input, request: { deep: nested(100) } },
      'request: must have at most 100 levels of lists and objects.',
    ],
    [
      'a request that exhausts the stack',
      { ...input, request: { deep: nested(50_000) } },
      'request: must have at most 100 levels of lists and objects.',
    ],
    ['a window of two dayz', { ...input, windows: { dropOff: '2 dayz' } }, `windows.dropOff: ${duration}`],
    ['a window of no time', { ...input, windows: { dropOff: '0s' } }, `windows.dropOff: ${duration}`],
    ['two faults', { ...input, caseNo: '', windows: { pickUp: 'soon' } }, `${length}; windows.pickUp: ${duration}`],
    [
      'misspelled windows',
      { ...input, windws: { pickUp: '1s' } },
      'windws: must not be given: an input has caseNo, request, windows',
    ],
    [
      'another casing, and the field without it',
      { caseNo, Request: {} },
      'Request: must not be given: an input has caseNo, request, windows; request is missing',
    ],
    [
      'many fields, one of them without a name that a failure can contain',
      { ...input, ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`\ud800${index}`, 1])) },
      '\ufffd0, \ufffd1, \ufffd2, \ufffd3, \ufffd4: must not be given: an input has caseNo, request, windows',
    ],
    ['the case number of another workflow', { ...input, caseNo: 'I-2' }, 'caseNo: the workflow id must be case:I-2.'],
  ])('%s', (_, given, message) => {
    expect(() => read(given)).toThrow(
      expect.objectContaining({
        type: 'InvalidFlowInput',
        nonRetryable: true,
        message: withReference('InvalidFlowInput', message),
      }),
    )
  })
})

describe('the windows of a flow with the stages dropOff and pickUp', () => {
  const common = { summary: 'Something happens.', wait: { issue: 'Completed' }, onTimeout: 'ask' } as const
  const steps: Step[] = [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIssue' },
    { name: 'dropOff', window: '1h', ...common },
    { name: 'pickUp', window: '1h', ...common },
    { name: 'kept', summary: 'It is kept.', wait: { issue: 'Completed' }, window: null },
  ]
  test.each([[undefined], [null], [{}], [{ booking: '1h' }], [{ dropOff: '1h', pickUp: null }]])(
    '%j are known',
    windows => {
      expect(() => rejectWindows(steps, { ...input, windows })).not.toThrow()
    },
  )

  test.each([
    [{ dropoff: '1h' }, 'dropoff'],
    [{ dropOff: '1h', return: '1h', hand: null }, 'return, hand'],
  ])('%j are rejected', (windows, unknown) => {
    expect(() => rejectWindows(steps, { ...input, windows })).toThrow(
      `windows: must only name booking, dropOff, pickUp, got ${unknown}.`,
    )
  })
})

describe('a window', () => {
  const booking = { name: 'booking', summary: 'A visit is booked.' }

  test('of a step that books is at most as long as services remember idempotency keys', () => {
    const step: Step = { ...booking, book: 'CreateLocalShipmentAsIssue' }
    expect(() => rejectWindows([step], { ...input, windows: { booking: '12h' } })).not.toThrow()
    expect(() => rejectWindows([step], { ...input, windows: { booking: '13h' } })).toThrow(
      expect.objectContaining({
        type: 'InvalidFlowInput',
        nonRetryable: true,
        message: withReference(
          'InvalidFlowInput',
          'windows.booking: must be at most 12h, since services forget idempotency keys after a day.',
        ),
      }),
    )
  })

  test('of a step that only has the name booking may be longer', () => {
    const step: Step = { ...booking, who: 'customer', ask: { yes: {} }, window: '3d', onTimeout: 'cancel' }
    expect(() => rejectWindows([step], { ...input, windows: { booking: '24h' } })).not.toThrow()
  })
})
