import { z } from 'zod'
import {
  accessScope,
  type Envelope,
  envelope,
  type OperationName,
  operations,
  tokenPath,
  tokenResponse,
} from '#contract'
import { createLog } from '#platform/logs'
import { demoTopology, type Service, type Settings, startService } from '#service'
import { maxWait } from '../eventually.ts'
import { cheapUploads } from './longUploads.ts'
import { newStore } from './temporaryStore.ts'

export interface CallOptions {
  /** The client that signs in; acme by default. */
  readonly client?: string
  /** A token to send instead of the client's own; null sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  /** The unparsed body. */
  readonly text: string
  readonly body: Envelope & Record<string, unknown>
}

export interface TestService extends Service {
  /** Moves the service's clock ahead. */
  advance(milliseconds: number): void
  /** The lines that the service logged. */
  readonly lines: readonly Record<string, unknown>[]
  /** An access token of a client of the topology, fetched once. */
  token(clientId?: string): Promise<string>
  /** Calls an operation. A success must match the contract exactly, including the order of the fields. */
  call(name: OperationName, body: unknown, options?: CallOptions): Promise<ServiceResponse>
  /** Sends any request. */
  send(path: string, request?: RequestInit): Promise<ServiceResponse>
  /** Sends a token request. */
  signIn(form: Record<string, string> | string, headers?: Record<string, string>): Promise<ServiceResponse>
}

/** Milliseconds; a busy machine must not reject what a test does not ask about. */
const longTimeouts = { lockTimeout: 60_000, statementTimeout: 60_000 }

/** Starts a service on a store of its own. The caller stops it. */
export async function startTestService(overrides: Partial<Settings> = {}): Promise<TestService> {
  let ahead = 0
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const own = overrides.databaseUrl === undefined ? await newStore() : undefined
  const service = await startService({
    log,
    clock: () => Date.now() + ahead,
    ...longTimeouts,
    uploadLimits: cheapUploads,
    batchBookings: process.env.LOCKERFLOW_TEST_BATCHED_BOOKINGS !== 'false',
    ...(own && { databaseUrl: own.databaseUrl }),
    ...overrides,
  }).catch(async error => {
    await own?.remove()
    throw error
  })
  // The real port, because a test may configure any public address.
  const origin = `http://127.0.0.1:${service.port}`
  const tokens = new Map<string, Promise<string>>()

  async function send(path: string, request?: RequestInit): Promise<ServiceResponse> {
    const response = await fetch(origin + path, request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) }
  }

  function signIn(
    form: Record<string, string> | string,
    headers: Record<string, string> = {},
  ): Promise<ServiceResponse> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return send(tokenPath, {
      method: 'POST',
      headers: { ...type, ...headers },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
  }

  async function fetchToken(clientId: string): Promise<string> {
    const answer = await signIn(credentialsOf(clientId, service.settings))
    return tokenResponse.parse(answer.body).access_token
  }

  function token(clientId = 'acme'): Promise<string> {
    const held = tokens.get(clientId) ?? fetchToken(clientId)
    tokens.set(clientId, held)
    return held
  }

  async function call(name: OperationName, body: unknown, options: CallOptions = {}): Promise<ServiceResponse> {
    const sent = options.token === undefined ? await token(options.client) : options.token
    const answer = await send(operations[name].path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(sent !== null && { authorization: `Bearer ${sent}` }),
        ...options.headers,
      },
      body: JSON.stringify(body),
    })
    if (answer.status === 200 && answer.body.success) expectContract(name, answer.body)
    return answer
  }

  return {
    ...service,
    async stop() {
      await stopInTime(service)
      await own?.remove()
    },
    lines,
    advance(milliseconds) {
      ahead += milliseconds
    },
    token,
    call,
    send,
    signIn,
  }
}

/**
 * A store waits for all of its connections before it closes. A failed test may hold one, and its failure is reported only
 * after its hooks.
 */
async function stopInTime(service: Service): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const fault = 'the service did not stop: a connection of its store is in use, perhaps in a transaction of the test'
  const timer = setTimeout(() => reject(new Error(fault)), maxWait)
  await Promise.race([service.stop(), late]).finally(() => clearTimeout(timer))
}

/** The form of a token request of a client. */
export function credentialsOf(clientId: string, { topology }: Pick<Settings, 'topology'> = { topology: demoTopology }) {
  const client = topology.tenants.flatMap(({ clients }) => clients).find(one => one.clientId === clientId)
  if (client === undefined) throw new Error(`the topology has no client ${clientId}`)
  return {
    client_id: clientId,
    client_secret: client.clientSecret,
    grant_type: 'client_credentials',
    scope: accessScope,
  }
}

/** Compiled once per process, since compiling one takes longer than a call. */
const responses = new Map<OperationName, z.ZodObject>()

function responseOf(name: OperationName): z.ZodObject {
  const compiled = responses.get(name) ?? z.strictObject({ ...operations[name].response.shape, ...envelope.shape })
  responses.set(name, compiled)
  return compiled
}

function expectContract(name: OperationName, body: Record<string, unknown>): void {
  const response = responseOf(name)
  response.parse(body)
  const order = Object.keys(response.shape).filter(field => field in body)
  const given = Object.keys(body)
  if (order.join() !== given.join()) throw new Error(`${name} answered ${given.join()} instead of ${order.join()}`)
}
