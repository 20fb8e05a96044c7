import { describe, expect, test } from 'vitest'
import { FlowCallError } from '#client'
import { withReference } from '#contract/terms'
import { toFlowApiError } from '../../../gateway/flowApi/failures.ts'
import { toProblem } from '../../../gateway/flowApi/problem.ts'
import { toPublicMessage, toPublicResult } from '../../../gateway/flowApi/publicMessages.ts'

const address = 'temporal.internal:7233'

/** Messages of the flow client, with what callers over HTTP receive. */
const messages = [
  [
    'TemporalUnreachable',
    `Temporal could not be reached at ${address}.`,
    'Temporal could not be reached by the gateway.',
  ],
  [
    'TemporalDenied',
    `Temporal at ${address} denied the call, or does not have the namespace lockers.`,
    'Temporal denied the call of the gateway, or does not have its namespace.',
  ],
  [
    'TemporalLimitReached',
    `The call exceeds a limit of Temporal at ${address}: namespace rate limit exceeded.`,
    'The call exceeds a limit of Temporal: namespace rate limit exceeded.',
  ],
  [
    'TemporalFailed',
    `Temporal at ${address} returned an error: lookup ${address}: no such host.`,
    'Temporal returned an error to the gateway.',
  ],
] as const

describe.each(messages)('%s', (code, message, expected) => {
  test('a problem has neither the address of Temporal nor that of a file', () => {
    const { detail, message: same } = toProblem(code, withReference(code, message), 503, 'R-1')
    expect({ detail, same }).toEqual({ detail: expected, same: expected })
  })

  test('a pending result has neither', () => {
    const pending = { kind: 'BookingPending', caseNo: 'I-1', code, message: withReference(code, message) }
    expect(toPublicResult(pending)).toEqual({ ...pending, message: expected })
  })
})

test('the failure of a flow has no address of a file of the worker, and its other fields stay', () => {
  const failure = {
    code: 'NoLockerAvailable',
    message: 'All lockers are booked. See node_modules/lockerflow/errors.md#nolockeravailable.',
    leftOver: [],
  }
  const result = { kind: 'Status', status: { caseNo: 'I-1', failure } }
  expect(toPublicResult(result)).toEqual({
    ...result,
    status: { caseNo: 'I-1', failure: { ...failure, message: 'All lockers are booked.' } },
  })
  const running = { kind: 'Status', status: { caseNo: 'I-1', failure: null } }
  expect(toPublicResult(running)).toEqual(running)
})

test('a public address of the errors page stays', () => {
  const message = 'The flow has ended. See https://lockerflow.example/docs/reference/errors.md#flowended.'
  expect(toPublicMessage('FlowEnded', message)).toBe(message)
})

test('the title of an error of the gateway does not name the service', () => {
  const { code, message, status } = toFlowApiError(new Error('broken'), 'R-1')
  expect(toProblem(code, message, status, 'R-1').title).not.toMatch(/\bservice\b/)
})

test.each(['NoWorkerPolls', 'NoResponseInTime', 'FlowEnded'] as const)('%s keeps its words', code => {
  const failure = toFlowApiError(new FlowCallError({ code, message: withReference(code, 'Words.') }, undefined), 'R-1')
  expect(toProblem(failure.code, failure.message, failure.status, 'R-1').detail).toBe('Words.')
})
