import {
  fingerprint,
  type Operation,
  type OperationName,
  operations,
  type RequestOf,
  type ResponseOf,
  type UploadName,
} from '#contract'
import { createPostAuthorized, type PostAuthorized } from './authorized.ts'
import { type ApiFault, fault } from './failures.ts'
import type { HttpRequest, HttpResponse } from './post.ts'
import { readResponse } from './response.ts'
import { repeatUnanswered, retryRead } from './retry.ts'
import { type ApiSettings, defaultReadRetries, joinUrl, readTimeouts, requireValid } from './settings.ts'
import { createTokenCache } from './tokenCache.ts'
import { requestToken } from './tokenRequest.ts'
import { createHttpTransport, type Transport } from './transport.ts'
import { TransportError } from './transportError.ts'
import type { Api, CallOptions, JsonOperationName, SendOptions } from './types.ts'
import { toFormData, type UploadedFile, type UploadOptions } from './upload.ts'

/**
 * Creates a client of the service's API, which connects with its first call.
 *
 * ```ts
 * const api = createApi({ baseUrl, authUrl, clientId, clientSecret })
 * const { items } = await api.call('GetPickUpPoints', {})
 * await api.close()
 * ```
 * @param carrier sends the requests; by default HTTP
 * @throws TypeError when an address does not begin with http or https, a timeout is not of milliseconds up to 2^31 - 1, or
 *   a number is not whole
 */
export function createApi(settings: ApiSettings, carrier?: Transport): Api {
  requireValid(settings)
  const timeouts = readTimeouts(settings)
  const { readRetries = defaultReadRetries } = settings
  const transport = carrier ?? createHttpTransport(settings, timeouts)
  let closing: Promise<void> | undefined
  const tokens = createTokenCache(() => requestToken(transport, settings, timeouts))
  const { sendOnce, callOnce } = createCalls(createPostAuthorized(transport, tokens), settings.trace)
  const urls = new Map(
    Object.values(operations).map(({ name, path }: Operation) => [name, joinUrl(settings.baseUrl, path)]),
  )

  function requireUrl(name: OperationName): URL {
    const url = urls.get(name)
    if (url === undefined) throw new TypeError(`name: the operation ${name} is unknown.`)
    return url
  }

  return {
    async call<Name extends JsonOperationName>(name: Name, request: RequestOf<Name>, options: CallOptions = {}) {
      const operation: Operation = operations[name]
      const { signal, idempotencyKey, repeatCreate = true, withCodes = false } = options
      const httpRequest = toJsonRequest(requireUrl(name), request, idempotencyKey)
      const timeout = timeouts[operation.effect]
      const once = (abort?: AbortSignal, left = timeout, newConnection = false) =>
        callOnce(name, { ...httpRequest, newConnection }, left, abort, withCodes)
      if (operation.effect === 'create') {
        if (idempotencyKey === undefined || !repeatCreate) return once()
        return repeatUnanswered(timeout, (left, newConnection) => once(undefined, left, newConnection))
      }
      if (operation.effect === 'change') return once(signal)
      return retryRead({ retries: readRetries, pause: transport.pause, ...(signal && { signal }) }, () => once(signal))
    },
    async upload<Name extends UploadName>(
      name: Name,
      request: RequestOf<Name>,
      file: UploadedFile,
      { signal, onSent }: UploadOptions = {},
    ) {
      const body = toFormData(name, request, file)
      const httpRequest = { url: requireUrl(name), headers: {}, body, ...(onSent && { onSent }) }
      return callOnce(name, httpRequest, timeouts.upload, signal)
    },
    async send(name: OperationName, request: unknown, { idempotencyKey, signal, file }: SendOptions = {}) {
      const url = requireUrl(name)
      const { effect } = operations[name]
      if (file === undefined) {
        return sendOnce(name, toJsonRequest(url, request, idempotencyKey), timeouts[effect], signal)
      }
      return sendOnce(name, { url, headers: {}, body: toFormData(name, request, file) }, timeouts.upload, signal)
    },
    close() {
      closing ??= transport.close()
      return closing
    },
  }
}

const keyHeader = 'idempotency-key'

/** Sends requests and reads their responses, without repetition. */
function createCalls(postAuthorized: PostAuthorized, trace: ApiSettings['trace']) {
  function sendOnce(
    name: OperationName,
    request: HttpRequest,
    timeout: number,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    return postAuthorized(request, timeout, signal).catch((cause: unknown) => {
      throw cause instanceof TransportError ? toTransportFault(name, cause, signal) : cause
    })
  }

  async function callOnce<Name extends OperationName>(
    name: Name,
    request: HttpRequest,
    timeout: number,
    signal: AbortSignal | undefined,
    withCodes = false,
  ): Promise<ResponseOf<Name>> {
    const call = async (added: Readonly<Record<string, string>>): Promise<ResponseOf<Name>> => {
      const traced = { ...request, headers: { ...request.headers, ...added } }
      const response = await sendOnce(name, traced, timeout, signal)
      // `readResponse` applied the schema of the operation.
      return readResponse(name, response, { withCodes, hasKey: keyHeader in request.headers }) as ResponseOf<Name>
    }
    return trace === undefined ? call({}) : trace(name, request.url, call)
  }

  return { sendOnce, callOnce }
}

function toJsonRequest(url: URL, request: unknown, idempotencyKey: string | undefined): HttpRequest {
  const headers = {
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { [keyHeader]: toHeaderValue(idempotencyKey) }),
  }
  return { url, headers, body: JSON.stringify(request) }
}

function toTransportFault(name: OperationName, cause: TransportError, signal: AbortSignal | undefined): ApiFault {
  const code = signal?.aborted ? 'CallAborted' : cause.sent ? 'NoResponse' : 'ServiceUnreachable'
  const reason = `${name}: ${cause.message}`
  return fault({ code, retryable: true, outcomeUnknown: cause.sent, reason }, reason, cause)
}

/**
 * Headers are ASCII, and case numbers may have any letters: other keys are sent as their SHA-256.
 * @throws TypeError for an empty key, which all requests would share
 */
function toHeaderValue(key: string): string {
  if (key === '') throw new TypeError('idempotencyKey: must not be empty.')
  return /^[\x21-\x7e]{1,255}$/.test(key) ? key : fingerprint(key)
}
