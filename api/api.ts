import { Agent } from 'undici'
import {
  fingerprint,
  type Operation,
  type OperationName,
  operations,
  type RequestOf,
  type ResponseOf,
  type UploadName,
} from '#contract'
import { readAnswer } from './answer.ts'
import { type Answer, exchange, NoAnswer, type Question } from './exchange.ts'
import { type ApiFault, fault } from './failures.ts'
import { retryingReads } from './retry.ts'
import {
  type ApiSettings,
  defaultConnections,
  defaultReadRetries,
  defaultTimeouts,
  longestAnswer,
  urlBelow,
} from './settings.ts'
import { requestToken } from './token.ts'
import { createTokens } from './tokens.ts'
import { formOf, type UploadedFile, type UploadOptions } from './upload.ts'

export interface CallOptions {
  /** The same key and request get the first answer again, where the service honours it. */
  readonly idempotencyKey?: string
  /** Leaves pickUpCode and deliveryCode in the answer; they are null otherwise. */
  readonly withCodes?: boolean
  /** Gives the call up; ignored by operations that create something. */
  readonly signal?: AbortSignal
}

/** Everything but what takes a file. */
type CalledName = Exclude<OperationName, UploadName>

export interface Api {
  /**
   * Calls an operation. Throws ApiRefusal when the answer is no, ApiFault when there is no usable answer. Reads are
   * repeated after faults; changes and creates never are.
   */
  call<Name extends CalledName>(name: Name, request: RequestOf<Name>, options?: CallOptions): Promise<ResponseOf<Name>>
  /**
   * Sends a file of at most 10 MiB. Throws as `call` does, without sending anything when the file is larger; never
   * repeats by itself.
   */
  upload<Name extends UploadName>(
    name: Name,
    request: RequestOf<Name>,
    file: UploadedFile,
    options?: UploadOptions,
  ): Promise<ResponseOf<Name>>
  /** Waits for the calls in flight; later ones fail. */
  close(): Promise<void>
}

/** A client of the service's API. Throws TypeError when an address is malformed; connects at the first call. */
export function createApi(settings: ApiSettings): Api {
  const timeouts = { ...defaultTimeouts, ...settings.timeouts }
  const { readRetries = defaultReadRetries, connections = defaultConnections } = settings
  const agent = new Agent({
    connections,
    connect: { timeout: timeouts.connect },
    // HTTP/2 sends again by itself what a closing connection took along.
    allowH2: false,
    // Every exchange has its own limit; undici's would cut off creates.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: longestAnswer,
  })
  let closing: Promise<void> | undefined
  const tokens = createTokens(() => requestToken(agent, settings, timeouts))
  const addresses = new Map(
    Object.values(operations).map(({ name, path }: Operation) => [name, urlBelow(settings.baseUrl, path)]),
  )

  async function answered(question: Question, limit: number, signal: AbortSignal | undefined): Promise<Answer> {
    const send = (token: string) => {
      const headers = { ...question.headers, accept: 'application/json', authorization: `Bearer ${token}` }
      return exchange(agent, { ...question, headers }, limit, signal)
    }
    const token = await untilAborted(tokens.get(), signal)
    const first = await send(token)
    if (first.status !== 401) return first
    // A rejected request had no effect, so even a create may go out once more.
    const another = await untilAborted(tokens.renew(token), signal)
    return another === token ? first : send(another)
  }

  function addressOf(name: OperationName): URL {
    const url = addresses.get(name)
    if (url === undefined) throw new TypeError(`there is no operation ${name}`)
    return url
  }

  async function asked<Name extends OperationName>(
    name: Name,
    question: Question,
    limit: number,
    signal: AbortSignal | undefined,
    withCodes = false,
  ): Promise<ResponseOf<Name>> {
    const answer = await answered(question, limit, signal).catch((cause: unknown) => {
      throw cause instanceof NoAnswer ? unanswered(name, cause, signal) : cause
    })
    // The schema of the operation has just been applied.
    return readAnswer(name, answer, withCodes) as ResponseOf<Name>
  }

  return {
    async call<Name extends CalledName>(name: Name, request: RequestOf<Name>, options: CallOptions = {}) {
      const operation: Operation = operations[name]
      const { signal, idempotencyKey, withCodes = false } = options
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': headerText(idempotencyKey) }),
      }
      const question = { url: addressOf(name), headers, body: JSON.stringify(request) }
      const once = (given?: AbortSignal) => asked(name, question, timeouts[operation.effect], given, withCodes)
      if (operation.effect === 'create') return once()
      if (operation.effect === 'change') return once(signal)
      return retryingReads(readRetries, () => once(signal), signal)
    },
    async upload<Name extends UploadName>(
      name: Name,
      request: RequestOf<Name>,
      file: UploadedFile,
      { signal, onSent }: UploadOptions = {},
    ) {
      const body = formOf(name, request, file)
      const question = { url: addressOf(name), headers: {}, body, ...(onSent && { onSent }) }
      return asked(name, question, timeouts.upload, signal)
    },
    close() {
      closing ??= agent.close()
      return closing
    },
  }
}

function unanswered(name: OperationName, cause: NoAnswer, signal: AbortSignal | undefined): ApiFault {
  const code = signal?.aborted ? 'CallAborted' : cause.sent ? 'NoAnswer' : 'ServiceUnreachable'
  return fault({ code, retryable: true, maybeDone: cause.sent }, `${name}: ${cause.message}`, cause)
}

/** Leaves a wait that others share when the caller gives up; the wait itself goes on. */
async function untilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  const { promise, reject } = Promise.withResolvers<never>()
  const aborted = () => reject(new NoAnswer(false, 'aborted by the caller'))
  if (signal.aborted) aborted()
  signal.addEventListener('abort', aborted, { once: true })
  return Promise.race([shared, promise]).finally(() => signal.removeEventListener('abort', aborted))
}

/** Case numbers may have any letters, headers may not: other keys go as their SHA-256. */
function headerText(key: string): string {
  return /^[\x21-\x7e]{1,255}$/.test(key) ? key : fingerprint(key)
}
