import { describe, expect, test } from 'vitest'
import { FlowCallError } from '#client'
import { CodecError } from '#platform/codec'
import { exitCodes, toFailure } from '../../../cli/command/failure.ts'
import { createOutput } from '../../../cli/command/output.ts'
import { exitReasons, finish, linesOf } from '../../../cli/flow/outcome.ts'

test('every kind of result has its exit code', () => {
  const codes = Object.entries(exitReasons).map(([kind, reason]) => [kind, exitCodes[reason]])
  expect(Object.fromEntries(codes)).toEqual({
    ...{ Started: 0, Booked: 0, CaseFinished: 0, Ended: 0, Status: 0, Listed: 0, Decided: 0, Answered: 0 },
    ...{ Cancelled: 0, BookingPending: 4, EndPending: 4, CancelPending: 4 },
    ...{ CaseInUse: 1, Refused: 1, UnknownCase: 1, Interrupted: 3 },
  })
})

test.each([
  ['NoWorkerPolls', 3],
  ['FlowPaused', 3],
  ['TemporalUnreachable', 3],
  ['NoResponseInTime', 3],
  ['TemporalLimitReached', 3],
  ['TemporalDenied', 1],
  ['TemporalFailed', 1],
] as const)('the error %s of a call ends with %i', (code, exitCode) => {
  expect(toFailure(new FlowCallError({ code, message: 'A sentence.' }, undefined)).exitCode).toBe(exitCode)
})

test('a flow whose worker lacks a key does not respond, and the message names the key', () => {
  const code = 'NoResponseInTime'
  // Temporal passes on the message alone.
  const cause = new Error(new CodecError('must contain the key old').message)
  const { message, exitCode } = toFailure(new FlowCallError({ code, message: 'It is late.' }, cause))
  expect([exitCode, message]).toEqual([
    exitCodes.notReachable,
    'It is late. Its worker reports: LOCKERFLOW_CODEC_KEYS: must contain the key old.',
  ])
})

test('a key that the command lacks is a wrong setting, and the message tells that the call may have taken effect', () => {
  const cause = new CodecError('must contain the key next')
  const message = `The data converter failed: ${cause.message} The call may have taken effect.`
  expect(toFailure(new FlowCallError({ code: 'DataNotConverted', message }, cause))).toMatchObject({
    code: 'InvalidSettings',
    message,
    exitCode: 2,
  })
})

test('a left-over names the locker to look into, and the shipment if the flow does not know it', () => {
  const left = { step: 'booking', shipmentUid: 'S-1', reason: 'there is an item in the locker' }
  const leftOver = [{ ...left, pupUid: 'pup-1', lockerName: '2' }, left, { ...left, shipmentUid: null }]
  expect(linesOf({ kind: 'Cancelled', outcome: 'cancelled', leftOver })).toEqual([
    'ended as cancelled',
    '  left over: locker 2 at pup-1: there is an item in the locker',
    '  left over: S-1: there is an item in the locker',
    '  left over: booking: there is an item in the locker',
  ])
})

describe('a result that is not a success', () => {
  test('is a failure with code, sentence and way out', () => {
    const pending = { kind: 'EndPending', caseNo: 'I-1', code: 'NoResponseInTime', message: 'It continues.' } as const
    expect(() => finish(createOutput(true, process), pending)).toThrow(
      expect.objectContaining({
        code: 'NoResponseInTime',
        message: 'It continues.',
        exitCode: 4,
        remedy: 'The flow continues: lockerflow flow wait I-1',
      }),
    )
  })
})
