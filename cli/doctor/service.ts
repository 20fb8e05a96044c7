import { type CallbackAddress, healthPaths, type RecentCallback, sandboxPaths } from '#contract'
import { ApiFault, ApiRefusal, createApi } from '#contract/client'
import { toCallbackAddress } from '#gateway/settings'
import { exitCodes, toFailure } from '../command/failure.ts'
import { createTrafficClient } from '../sandbox/trafficClient.ts'
import { answerTimeout, type Finding, type Installation, ok, reasonOf, unknown, wrong } from './examination.ts'

/** Milliseconds. Signatures of callbacks are valid for fifteen minutes, and tokens begin at once. */
const tolerableSkew = 30_000

/** HTTP statuses with which a service answers a path that it lacks. A rejected token has another one. */
const statusesOfUnknownPaths: readonly (number | undefined)[] = [400, 404, 405]

/** A rejected sign-in can have the same statuses. */
function isUnknownPath(error: unknown): boolean {
  return error instanceof ApiFault && error.code !== 'SignInFailed' && statusesOfUnknownPaths.includes(error.status)
}

interface Readiness {
  readonly ready?: boolean
  readonly missing?: readonly { readonly name: string; readonly reason: string }[]
}

/** Checks that the service responds and is ready. */
export async function examineService({ api }: Installation): Promise<Finding> {
  const answer = await probe(`${api.baseUrl}${healthPaths.ready}`)
  if ('reason' in answer)
    return wrong(`${api.baseUrl}: ${answer.reason}`, 'Start the service, or set LOCKERFLOW_BASE_URL to its address.')
  const others = missingIn(answer).filter(({ name }) => name !== 'migration')
  if (isOfOthers(answer))
    return ok(`${api.baseUrl}, which is not a service of lockerflow: lockerflow capabilities finds its capabilities`)
  if (isOfProxy(answer))
    return wrong(
      `${api.baseUrl}: HTTP ${answer.status} without the readiness of a service`,
      'Start the service, or correct the address to which the proxy before it passes requests.',
    )
  if (answer.status === 200 || others.length === 0) return ok(api.baseUrl)
  return wrong(
    `${api.baseUrl}: ${others.map(({ reason }) => reason).join('; ')}`,
    'Read the log of the service, and repair its database.',
  )
}

/** The store of the service has the schema of its version. */
export async function examineSchema({ api }: Installation): Promise<Finding> {
  const answer = await probe(`${api.baseUrl}${healthPaths.ready}`)
  if ('reason' in answer) return unknown('the service cannot be reached')
  if (isOfOthers(answer)) return ok('none, since this is not a service of lockerflow')
  if (isOfProxy(answer)) return unknown('the service cannot be reached')
  const behind = missingIn(answer).find(({ name }) => name === 'migration')
  if (behind === undefined) return ok('all migrations have run')
  return wrong(behind.reason, 'Start a process of this version of the service, which runs them.')
}

/** The clock of the service and the one of this machine agree. */
export async function examineClocks({ api }: Installation): Promise<Finding> {
  const answer = await probe(`${api.baseUrl}${healthPaths.live}`)
  if ('reason' in answer) return unknown('the service cannot be reached')
  const skew = answer.date === undefined ? Number.NaN : answer.date - Date.now()
  if (Number.isNaN(skew)) return unknown('the service sends no date')
  const seconds = Math.round(Math.abs(skew) / 1_000)
  if (Math.abs(skew) < tolerableSkew) return ok(`${seconds} s apart`)
  return wrong(
    `the service is ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}`,
    'Synchronise both clocks by NTP: signatures and tokens contain times.',
  )
}

/** The credentials are accepted. */
export async function examineSignIn({ api: settings }: Installation): Promise<Finding> {
  const api = createApi(settings)
  try {
    const { totalItems } = await api.call('GetPickUpPoints', {})
    return ok(`${settings.clientId} sees ${totalItems} pick up points`)
  } catch (error) {
    // GetPickUpPoints is not in the specification, and the token was issued before it was called.
    if (error instanceof ApiRefusal || isUnknownPath(error))
      return ok(
        `${settings.clientId} gets a token at ${settings.authUrl}; without GetPickUpPoints the token is not tried`,
      )
    // Otherwise the line of the service names the reason.
    const isUnreachable = toFailure(error).exitCode === exitCodes.notReachable && settings.authUrl === settings.baseUrl
    if (isUnreachable) return unknown('the service cannot be reached')
    return wrong(
      `${settings.clientId} at ${settings.authUrl}: ${reasonOf(error)}`,
      'Compare LOCKERFLOW_AUTH_URL, LOCKERFLOW_CLIENT_ID and the secret with lockerflow clients list.',
    )
  } finally {
    await api.close()
  }
}

/** Remedies for a callback that reached its address and was not accepted there. */
const remedies = {
  unsigned: 'Compare LOCKERFLOW_CALLBACK_KEY and the clock of the gateway: its log line callback-signature says why.',
  refused: 'Read the log of the receiver at that address, which responds but does not accept the callback.',
} as const

/** The service sends callbacks to the gateway, reaches it, and its last callback arrived. */
export async function examineCallbacks({ api, environment }: Installation): Promise<Finding> {
  const remedy = 'Start the gateway, and set LOCKERFLOW_GATEWAY_URL to an address that the service reaches.'
  try {
    const client = createTrafficClient(api)
    const { callbackUrl: url, reachable, answer } = await client.probe()
    if (url === null) return wrong('the tenant has no callback address', remedy)
    const own = findOtherAddress(url, environment)
    if (own !== undefined)
      return wrong(
        `${url} gets the callbacks instead of ${own}`,
        'Start the gateway of LOCKERFLOW_GATEWAY_URL, which registers its address.',
      )
    if (!reachable) return wrong(`${url}: the service gets no response (${answer})`, remedy)
    const entries = await client.list<CallbackAddress | RecentCallback>(sandboxPaths.callbacks)
    const last = entries.filter(entry => 'messageId' in entry).at(-1)
    if (last !== undefined && !last.delivered) {
      const { answer: reason } = last
      const refusal = reason === '401' ? remedies.unsigned : /^\d+$/.test(reason) ? remedies.refused : remedy
      return wrong(`${url}: the last callback of the service was not delivered (${reason})`, refusal)
    }
    return ok(`${url}, which the service reaches`)
  } catch (error) {
    const isUnreachable = 'reason' in (await probe(`${api.baseUrl}${healthPaths.live}`))
    return unknown(
      isUnreachable ? 'the service cannot be reached' : `the service does not report it: ${reasonOf(error)}`,
    )
  }
}

/** The address of this installation's gateway if callbacks go elsewhere. A person may have registered that of a proxy. */
function findOtherAddress(registered: string, environment: NodeJS.ProcessEnv): string | undefined {
  const { LOCKERFLOW_GATEWAY_URL: gateway, LOCKERFLOW_CALLBACK_REGISTRATION: registration } = environment
  if (!gateway || registration === 'manual') return undefined
  const expected = toCallbackAddress(gateway)
  return toComparable(expected) === toComparable(registered) ? undefined : expected
}

/** Spellings of one address, such as one with its default port, are equal. */
function toComparable(address: string): string {
  return URL.parse(address)?.href ?? address
}

/** An answer over HTTP, or the reason of its absence. */
type Answer =
  | { readonly status: number; readonly body: string; readonly date: number | undefined }
  | { readonly reason: string }

async function probe(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeout), redirect: 'manual' })
    const date = Date.parse(response.headers.get('date') ?? '')
    return { status: response.status, body: await response.text(), date: Number.isNaN(date) ? undefined : date }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

/** True for a service without our health check. A failing check may come from a proxy in front of our service. */
function isOfOthers(answer: Exclude<Answer, { readonly reason: string }>): boolean {
  return answer.status < 500 && readinessIn(answer).ready === undefined
}

/** True for an error that does not come from the service: a proxy before it got no answer. */
function isOfProxy(answer: Exclude<Answer, { readonly reason: string }>): boolean {
  return answer.status >= 500 && readinessIn(answer).ready === undefined
}

function missingIn(answer: Answer): NonNullable<Readiness['missing']> {
  return readinessIn(answer).missing ?? []
}

function readinessIn(answer: Answer): Readiness {
  if ('reason' in answer) return {}
  try {
    return (JSON.parse(answer.body) as Readiness | null) ?? {}
  } catch {
    return {}
  }
}
