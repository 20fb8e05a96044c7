import type { OperationName, RequestOf } from '#contract'
import { type Api, ApiFault, ApiRefusal, type CallOptions } from '#contract/client'
import { type Json, jsonBytes, outputLimits, secretFields } from '#flows'
import { attemptNumber } from './attempt.ts'
import type { AttemptNotes } from './certainAttempts.ts'
import { nonRetryable, withApplicationFailures } from './failures.ts'
import type { CallOperationInput, FailedAttempt } from './interface.ts'
import { requireOperation, toCallRequest } from './plan/request.ts'
import { responseToRepeated } from './repeatedChanges.ts'

const secrets: ReadonlySet<string> = new Set(secretFields)

/** Refusals after which the effect exists. If one lacks the fields of the response, the request is retried without `without`. */
const repeated: Readonly<Record<string, { readonly code: string; readonly without: string }>> = {
  CreateOrGetAccount: { code: 'MutationConfigFailed', without: 'mutationConfig' },
}

/** Creates that find what an earlier attempt has created. */
const repeatable: ReadonlySet<string> = new Set<OperationName>(['CreateOrGetAccount'])

type Outputs = Record<string, Json>

/** Calls an operation that books nothing. The interface of activities describes the result. */
export async function callOperation(api: Api, input: CallOperationInput, notes: AttemptNotes): Promise<Outputs> {
  const { operation: name, caseNo, keep, tolerated = [] } = input
  const operation = requireOperation(name)
  const request = toCallRequest(operation, input.request, caseNo)
  return withApplicationFailures(async () => {
    try {
      return toOutputs(await call(api, { ...input, request }, notes), keep, name)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      const done = await responseToFirst(api, { ...input, request }, error)
      if (done !== undefined) return toOutputs(done, keep, name)
      if (!tolerated.includes(error.code)) throw error
      return { ...toOutputs(await fieldsOf(api, { ...input, request }, error), keep, name), error: error.code }
    }
  })
}

/** The response that a refused attempt repeats: that of an earlier one, which was lost, or of another call of the flow. */
async function responseToFirst(
  api: Api,
  { operation, request, profile, mayBeDone }: CallOperationInput,
  { code }: ApiRefusal,
): Promise<object | undefined> {
  if ((attemptNumber() === 1 && !mayBeDone) || !profile.reads) return undefined
  return responseToRepeated(api, { operation: operation as CallName, request: request as RequestOf<CallName>, code })
}

/** The fields of a tolerated refusal. */
async function fieldsOf(api: Api, input: CallOperationInput, refusal: ApiRefusal): Promise<object> {
  const parsed = requireOperation(input.operation).response.safeParse(refusal.response)
  if (parsed.success) return parsed.data
  const { code, without } = repeated[input.operation] ?? {}
  if (code !== refusal.code || without === undefined) return {}
  // The key belongs to the request with this field.
  return send(api, { ...input, request: { ...input.request, [without]: null } }, {})
}

async function call(api: Api, input: CallOperationInput, notes: AttemptNotes): Promise<object> {
  const { operation: name, profile, idempotencyKey } = input
  if (requireOperation(name).effect !== 'create') return send(api, input, {})
  // Temporal retries it, and counts the attempts.
  if (profile.idempotent) return send(api, input, { idempotencyKey, repeatCreate: false })
  return repeatable.has(name) ? send(api, input, {}) : sendOnce(api, input, notes)
}

type CallName = Exclude<OperationName, 'UploadAccountSuggestions'>

function send(
  api: Api,
  { operation, request }: CallOperationInput,
  options: Pick<CallOptions, 'idempotencyKey' | 'repeatCreate'>,
): Promise<object> {
  return api.call(operation as CallName, request as RequestOf<CallName>, options)
}

/** Marks that a create was sent, for the attempt after a lost worker. */
const sent = 'sent'

/** A create without a key: after a lost response only a person can tell whether it took effect. */
async function sendOnce(api: Api, input: CallOperationInput, { earlier, note }: AttemptNotes): Promise<object> {
  if (earlier === sent) throw uncertain(input, 'the worker was lost')
  note(sent)
  try {
    return await send(api, input, {})
  } catch (error) {
    if (error instanceof ApiFault && error.outcomeUnknown) throw uncertain(input, error.code)
    note(undefined)
    throw error
  }
}

function uncertain({ operation }: CallOperationInput, reason: string): Error {
  return nonRetryable('CallUncertain', `The response to ${operation} was lost: ${reason}.`, mayHaveEffect())
}

function toOutputs(response: object, keep: readonly string[] | undefined, operation: string): Outputs {
  const fields = Object.entries(response).filter(([name]) => keep === undefined || keep.includes(name))
  const outputs = withoutSecrets(Object.fromEntries(fields)) as Outputs
  const bytes = jsonBytes(outputs)
  if (bytes <= outputLimits.step) return outputs
  throw nonRetryable(
    'OutputTooLarge',
    `${operation}: must return at most ${outputLimits.step} bytes, got ${bytes}. Name fewer fields in keep.`,
    mayHaveEffect(),
  )
}

function mayHaveEffect(): FailedAttempt {
  return { attempt: attemptNumber(), outcomeUnknown: true }
}

function withoutSecrets(value: unknown): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return (value ?? null) as Json
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      secrets.has(name) || member === undefined ? [] : [[name, withoutSecrets(member)]],
    ),
  )
}
