import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
  type ProtoFailure,
} from '@temporalio/common'
import protos from '@temporalio/proto'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { repairFailures } from '../../worker/activityFailures.ts'

const { Failure } = protos.temporal.api.failure.v1
const loneSurrogate = '\ud83d'
/** The failure that Temporal gets of an activity. The SDK encodes it, and ends the worker if it cannot. */
async function sentFor(thrown: unknown): Promise<ProtoFailure> {
  const { inbound } = repairFailures({} as never) as { readonly inbound: Required<ActivityInboundCallsInterceptor> }
  const error = await inbound
    .execute({} as ActivityExecuteInput, async () => {
      throw thrown
    })
    .catch((error: unknown) => error)
  const failure = new DefaultFailureConverter().errorToFailure(ensureApplicationFailure(error), defaultPayloadConverter)
  Failure.encode(failure).finish()
  return failure
}

// protobufjs writes lone surrogates of short texts as they are, and the core of Temporal's SDK then ends the worker.
test.each([
  ['a message', new Error(`cut ${loneSurrogate}`)],
  ['a cause', new Error('The printer is off.', { cause: new Error(`cut ${loneSurrogate}`) })],
  ['a type', ApplicationFailure.create({ type: `cut ${loneSurrogate}`, message: 'The printer is off.' })],
  ['a name', Object.assign(new Error('The printer is off.'), { name: `cut ${loneSurrogate}` })],
])('a failure with a lone surrogate in %s is repaired, and can be retried', async (_, thrown) => {
  const failure = await sentFor(thrown)
  // JSON escapes a lone surrogate.
  expect(JSON.stringify(failure)).not.toContain('\\ud83d')
  expect(JSON.stringify(failure)).toContain('\ufffd')
  expect(failure.applicationFailureInfo?.nonRetryable).toBeFalsy()
})

test.each([
  [
    'details that are not JSON',
    ApplicationFailure.create({ message: 'The printer is off.', details: [{ cents: 7n }] }),
  ],
  ['itself as its cause', withCause(new Error('The printer is off.'))],
])('a failure with %s can be encoded, and retried', async (_, thrown) => {
  const failure = await sentFor(thrown)
  expect(failure).toMatchObject({ message: 'The printer is off.' })
  expect(failure.applicationFailureInfo?.nonRetryable).toBeFalsy()
})

test('the texts of a failure are cut', async () => {
  const failure = await sentFor(new Error('x'.repeat(5_000_000)))
  expect(failure.message).toHaveLength(16_003)
  expect(failure.stackTrace?.length).toBeLessThan(16_004)
})

function withCause(error: Error): Error {
  return Object.assign(error, { cause: error })
}
