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
import { type Answer, exchange, NoAnswer } from './exchange.ts'
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

  async function answered(url: URL, operation: Operation, body: string, options: CallOptions): Promise<Answer> {
    const { idempotencyKey, signal } = options
    const send = (token: string) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': headerText(idempotencyKey) }),
      }
      return exchange(agent, { url, headers, body }, timeouts[operation.effect], signal)
    }
    const token = await untilAborted(tokens.get(), signal)
    const first = await send(token)
    if (first.status !== 401) return first
    // A rejected request had no effect, so even a create may go out once more.
    const another = await untilAborted(tokens.renew(token), signal)
    return another === token ? first : send(another)
  }

  return {
    async call<Name extends CalledName>(name: Name, request: RequestOf<Name>, options: CallOptions = {}) {
      const operation: Operation = operations[name]
      const { signal, ...rest } = options
      const url = addresses.get(name)
      if (url === undefined) throw new TypeError(`there is no operation ${name}`)
      const body = JSON.stringify(request)
      const once = async (given: CallOptions) => {
        const answer = await answered(url, operation, body, given).catch((cause: unknown) => {
          throw cause instanceof NoAnswer ? unanswered(name, cause, given.signal) : cause
        })
        // The schema of the operation has just been applied.
        return readAnswer(name, answer, options.withCodes === true) as ResponseOf<Name>
      }
      if (operation.effect === 'create') return once(rest)
      if (operation.effect === 'change') return once(options)
      return retryingReads(readRetries, () => once(options), signal)
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
