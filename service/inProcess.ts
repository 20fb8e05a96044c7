import { type OperationName, operations, tokenPath } from '#contract'
import {
  createAcceptedTokens,
  createTokenEndpoint,
  createTokens,
  createVerifyBearer,
  openSigningKeys,
  TokenError,
} from './auth/index.ts'
import type { Secrets } from './encryption/index.ts'
import { createOpenDoor } from './hardware/index.ts'
import { createRunOperation, parseRequest, toOperationError, toRefusal } from './http/index.ts'
import { handlers } from './operations/index.ts'
import { takeMessages } from './outbox/index.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { openRewindable, type Store, useLoneTransactions } from './store/index.ts'
import { applyTopology } from './topology/index.ts'

/** A request of a client, as it arrives over HTTP. */
export interface InProcessRequest {
  readonly path: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface InProcessResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The service without a port, on a store in memory. */
export interface InProcessService {
  /** Signs in, or runs an operation: the access token, the contract of the operation, and its transaction. */
  send(request: InProcessRequest): Promise<InProcessResponse>
  /** Takes the callbacks of the changes since the last call, in their order: bodies as the service posts them. */
  takeCallbacks(): Promise<string[]>
  /** Keeps the present state. Returns its number: 0, 1 and so on. Call it while no request runs. */
  mark(): number
  /** Goes back to a state of `mark`, and forgets the later ones. Call it while no request runs. */
  rewind(state: number): void
  stop(): Promise<void>
}

/** Seconds: longer than any clock that jumps. */
const tokenLifetime = 100 * 365 * 86_400
/** Milliseconds: no other process changes this store. */
const neverPolls = 2 ** 31 - 1
const address = () => 'http://service.invalid'

/**
 * Opens the service in this process, without a port, background work or deliveries. It runs the same operations on the
 * same tables; left out are HTTP itself, its limits, uploads, and the encryption of columns.
 */
export async function openInProcess(overrides: Pick<Settings, 'clock'> & Partial<Settings>): Promise<InProcessService> {
  const settings: Settings = { ...defaultSettings, tokenLifetime, revocationPollInterval: neverPolls, ...overrides }
  const { clock } = settings
  const { store, mark, rewind } = await openRewindable()
  useLoneTransactions(store)
  await applyTopology(store, settings.topology, clock())
  const secrets = plainSecrets
  const keys = await openSigningKeys(store, { ...settings, secrets })
  const accepted = await createAcceptedTokens({ store, keys, secrets, pollInterval: settings.revocationPollInterval })
  const tokens = createTokens({ ...settings, keys, accepted, issuer: address })
  const signIn = createTokenEndpoint({ ...settings, store, tokens })
  const verifyBearer = createVerifyBearer({ tokens, accepted, clock })
  const callbacks = createCallbackReader(store)
  const runOperation = createRunOperation({
    ...settings,
    store,
    secrets,
    handlers,
    // One caller after the other, so there is no commit to share.
    batchBookings: false,
    // There are no other tenants whose work would have to wait.
    runInShare: (_tenantId, _weight, work) => work(),
    openDoor: createOpenDoor(settings),
    sandbox: settings.environment === 'staging',
    stopping: new AbortController().signal,
    wake: callbacks.wake,
    reserve: () => undefined,
  })

  async function issueToken({ headers, body }: InProcessRequest): Promise<InProcessResponse> {
    try {
      const { response } = await signIn({ form: body, authorization: headers.authorization, address: '127.0.0.1' })
      return { status: 200, headers: {}, text: JSON.stringify(response) }
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      return { status: error.status, headers: {}, text: JSON.stringify(error.body) }
    }
  }

  async function run({ path, headers, body }: InProcessRequest) {
    const name = names.get(path)
    try {
      if (name === undefined) throw new TypeError(`path: must be the path of an operation, got ${path}.`)
      const caller = await verifyBearer(headers.authorization)
      return await runOperation(name, caller, parseRequest(name, body), { headers })
    } catch (error) {
      const refusal = toOperationError(error, { id: path })
      // A simulation must not go on after a defect.
      if (refusal.code === 'InternalError') throw error
      return toRefusal(refusal, name)
    }
  }

  return {
    async send(request) {
      if (request.path === tokenPath) return issueToken(request)
      const { status, body, retryAfter } = await run(request)
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return { status, headers, text: body }
    },
    takeCallbacks: callbacks.take,
    mark() {
      callbacks.mark()
      return mark()
    },
    rewind(state) {
      callbacks.rewind(state)
      rewind(state)
    },
    async stop() {
      await accepted.stop()
      await store.destroy()
    },
  }
}

/** Reads the callbacks of the outbox, each once. */
function createCallbackReader(store: Store) {
  let hasCallbacks = false
  /** The last message that was taken, now and at each mark. */
  const taken = { until: 0, atMarks: [] as number[] }
  return {
    wake() {
      hasCallbacks = true
    },
    async take(): Promise<string[]> {
      if (!hasCallbacks) return []
      hasCallbacks = false
      const messages = await takeMessages(store, taken.until)
      taken.until = messages.at(-1)?.seq ?? taken.until
      return messages.map(({ body }) => body)
    },
    mark() {
      taken.atMarks.push(taken.until)
    },
    rewind(state: number) {
      hasCallbacks = false
      taken.until = taken.atMarks[state] ?? 0
      taken.atMarks.length = state + 1
    },
  }
}

const names: ReadonlyMap<string, OperationName> = new Map(
  (Object.keys(operations) as OperationName[])
    .filter(name => handlers[name] !== undefined && !('upload' in operations[name]))
    .map(name => [operations[name].path, name]),
)

const plainHashes: Secrets['hashCodes'] = (_pupUid, codes) =>
  codes.map(code => ({ code, data_key_id: 'none', code_hash: code }))

/** Leaves values as they are: everything that could decrypt them is in the memory of the same process. */
const plainSecrets: Secrets = {
  encrypt: (_column, _rowId, text) => text,
  decrypt: (_column, _rowId, text) => text,
  hashCodes: plainHashes,
  hashReleasedCodes: plainHashes,
  refresh: async () => undefined,
}
