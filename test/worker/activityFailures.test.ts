import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
  type Payload,
  type ProtoFailure,
} from '@temporalio/common'
import protos from '@temporalio/proto'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { repairFailures } from '../../worker/activityFailures.ts'

const { Failure } = protos.temporal.api.failure.v1
const loneSurrogate = '\ud83d'
const final = { type: 'Broken', nonRetryable: true }

/** As an HTTP client can return one. */
const circle: { [field: string]: unknown } = { name: 'Circle', message: 'The printer is off.' }
circle.cause = circle

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
  ['a frozen error', Object.freeze(new Error(`cut ${loneSurrogate}`))],
  ['a text alone', loneSurrogate],
  ['a text as its cause', ApplicationFailure.create({ cause: loneSurrogate as never })],
])('a failure with a lone surrogate in %s is repaired, and can be retried', async (_, thrown) => {
  const failure = await sentFor(thrown)
  // JSON escapes a lone surrogate.
  expect(JSON.stringify(failure)).not.toContain('\\ud83d')
  expect(JSON.stringify(failure)).toContain('\ufffd')
  expect(failure.applicationFailureInfo?.nonRetryable).toBeFalsy()
})

test.each([
  ['details that are not JSON', withDetails([{ cents: 7n }])],
  ['details that are a text', withDetails('off' as never)],
  ['details that are a function', withDetails([() => 'off'])],
  ['itself as its cause', withCause(new Error('The printer is off.'))],
  ['a plain object that is its own cause', new Error('The printer is off.', { cause: circle })],
  ['a delay that is not a number', ApplicationFailure.create({ nextRetryDelay: Number.NaN })],
  ['a number as its stack', Object.assign(withDetails([]), { stack: 7 })],
  ['a message that has no text', { message: Object.create(null) }],
])('a failure with %s can be encoded and read, and retried', async (_, thrown) => {
  const failure = await sentFor(thrown)
  expect(failure.applicationFailureInfo?.nonRetryable).toBeFalsy()
  expectReadable(failure)
})

test.each([
  ['whose details are a function', ApplicationFailure.create({ ...final, details: [() => 'off'] })],
  ['that is frozen, and has a lone surrogate', Object.freeze(ApplicationFailure.nonRetryable(loneSurrogate, 'Broken'))],
])('a failure %s keeps its type, and is not retried', async (_, thrown) => {
  const failure = await sentFor(thrown)
  expect(failure.applicationFailureInfo).toMatchObject(final)
  expectReadable(failure)
})

/** The SDK encodes a function as an empty payload, which no workflow task can read. */
function expectReadable({ applicationFailureInfo, message }: ProtoFailure): void {
  const payloads: readonly Payload[] = applicationFailureInfo?.details?.payloads ?? []
  for (const payload of payloads) expect(() => defaultPayloadConverter.fromPayload(payload)).not.toThrow()
  expect(message?.isWellFormed()).toBe(true)
}

function withDetails(details: unknown[]): Error {
  return ApplicationFailure.create({ message: 'The printer is off.', details })
}

function withCause(error: Error): Error {
  return Object.assign(error, { cause: error })
}
