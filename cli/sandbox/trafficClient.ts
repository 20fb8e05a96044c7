import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  accessScope,
  type CallbackAddress,
  type CallbackProbe,
  operations,
  type RequestOf,
  type ResendRequest,
  type ResponseOf,
  sandboxPaths,
  tokenPath,
} from '#contract'
import type { ApiSettings } from '#contract/client'
import { CommandFailure, exitCodes, toFailure } from '../command/failure.ts'

export interface TrafficClient {
  /** The entries in memory. The list of callbacks begins with the address of the tenant. */
  list<Entry>(path: string): Promise<readonly Entry[]>
  /**
   * Yields the entries in memory, and each new one until the signal aborts. Reconnects when the connection breaks, and
   * continues after the last entry.
   */
  follow<Entry extends { readonly id?: string }>(path: string, options: FollowOptions): AsyncGenerator<Entry>
  /** The registered address of the tenant; null without one. */
  address(): Promise<string | null>
  /** Lets the service ask the registered address for an answer. */
  probe(): Promise<CallbackProbe>
  /** The shipments of a case. */
  shipmentsOf(caseNo: string): Promise<readonly string[]>
  /** The id of all requests of `shipmentsOf`, which a list of requests leaves out. */
  readonly ownRequestId: string
  /** Returns how many callbacks the service sends again. */
  resend(selection: ResendRequest): Promise<number>
}

export interface FollowOptions {
  readonly signal: AbortSignal
  /** The `id` of an entry. Without it, the entries in memory come first. */
  readonly after?: string | undefined
  /** Called once when the connection breaks, and with undefined when it is back. */
  readonly onBroken?: (reason: string | undefined) => void
}

/** Milliseconds between two attempts to connect, doubled up to the maximum. */
const backoff = { initial: 250, maximum: 5_000 } as const
/** Milliseconds of a request. */
const timeout = 15_000

/** Reads the recent traffic of a service in staging. */
export function createTrafficClient({ baseUrl, authUrl, clientId, clientSecret }: ApiSettings): TrafficClient {
  const join = (base: string, path: string) => base.replace(/\/+$/, '') + path

  async function fetchToken(): Promise<string> {
    const form = {
      grant_type: 'client_credentials',
      scope: accessScope,
      client_id: clientId,
      client_secret: clientSecret,
    }
    const signal = AbortSignal.timeout(timeout)
    const init = { method: 'POST', body: new URLSearchParams(form), signal }
    const response = await request('LOCKERFLOW_AUTH_URL: the sign-in', join(authUrl, tokenPath), init)
    if (!response.ok) throw await toRefusal(response, 'SignInFailed')
    const { access_token } = (await response.json()) as { readonly access_token: string }
    return access_token
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${await fetchToken()}`
    const response = await request('LOCKERFLOW_BASE_URL: the service', join(baseUrl, path), {
      ...init,
      headers: { authorization, ...init.headers },
    })
    if (response.ok) return response
    if (response.status === 404) throw withoutTraffic(baseUrl)
    throw await toRefusal(response, 'CommandFailed')
  }

  async function list<Entry>(path: string): Promise<readonly Entry[]> {
    const response = await send(path, { signal: AbortSignal.timeout(timeout) })
    return (await response.text())
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Entry)
  }

  const ownRequestId = `lockerflow-${randomUUID()}`
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    })
    return response.json()
  }

  return {
    list,
    follow: <Entry extends { readonly id?: string }>(path: string, options: FollowOptions) =>
      followEntries<Entry>(send, path, options),
    ownRequestId,
    async shipmentsOf(caseNo) {
      const request: RequestOf<'GetShipments'> = { referenceCaseNo: caseNo }
      const headers = { 'x-request-id': ownRequestId }
      const { items } = (await post(operations.GetShipments.path, request, headers)) as ResponseOf<'GetShipments'>
      return items.map(({ shipmentUid }) => shipmentUid)
    },
    async address() {
      const [address] = await list<CallbackAddress>(sandboxPaths.callbacks)
      return address?.callbackUrl ?? null
    },
    probe: async () => (await post(sandboxPaths.probe, {})) as CallbackProbe,
    async resend(selection) {
      const { resent } = (await post(sandboxPaths.resend, selection)) as { readonly resent: number }
      return resent
    },
  }
}

/** Yields entries as they are written, and connects again when the connection breaks. @param send sends a request with a token */
async function* followEntries<Entry extends { readonly id?: string }>(
  send: (path: string, init: RequestInit) => Promise<Response>,
  path: string,
  { signal, onBroken, ...options }: FollowOptions,
) {
  let { after } = options
  let failures = 0
  let hasConnected = false
  let isBroken = false
  while (!signal.aborted) {
    try {
      const query = new URLSearchParams({ follow: 'true', ...(after !== undefined && { after }) })
      const { body } = await send(`${path}?${query}`, { signal })
      if (body === null) return
      if (isBroken) onBroken?.(undefined)
      isBroken = false
      hasConnected = true
      failures = 0
      for await (const line of readLines(body)) {
        if (line === '') continue
        const entry: Entry = JSON.parse(line)
        after = entry.id ?? after
        yield entry
      }
    } catch (error) {
      if (signal.aborted) return
      // A refusal stays one, and the first connection must succeed.
      if (!hasConnected || isFinal(error)) throw error
      if (!isBroken) onBroken?.(error instanceof Error ? error.message : String(error))
      isBroken = true
    }
    const pause = Math.min(backoff.maximum, backoff.initial * 2 ** failures++)
    await delay(pause, undefined, { signal }).catch(() => undefined)
  }
}

/** @throws CommandFailure that names the address and the cause, which the error of `fetch` hides */
async function request(part: string, url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch((error: Error) => {
    const { message } = toFailure(error.cause ?? error)
    throw new CommandFailure('NotReachable', `${part} at ${new URL(url).origin} does not respond: ${message}`, {
      exitCode: exitCodes.notReachable,
    })
  })
}

/** The complete lines of a response, without their ends. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof CommandFailure && error.exitCode !== exitCodes.notReachable
}

function withoutTraffic(baseUrl: string): CommandFailure {
  return new CommandFailure('UnknownOperation', `${baseUrl} has no recent traffic.`, {
    exitCode: exitCodes.failed,
    remedy: 'Use a service in staging. An operator can read the store instead: set LOCKERFLOW_DATABASE_URL.',
  })
}

async function toRefusal(response: Response, otherwise: string): Promise<CommandFailure> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error, message, error_description } = (body ?? {}) as Readonly<Record<string, string | undefined>>
  const code = error && /^[A-Z]/.test(error) ? error : otherwise
  return new CommandFailure(code, message ?? error_description ?? `The service responded with ${response.status}.`, {
    exitCode: response.status < 500 && response.status !== 429 ? exitCodes.failed : exitCodes.notReachable,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}
