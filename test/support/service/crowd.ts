import { decodeProtectedHeader } from 'jose'
import { expect, onTestFinished, vi } from 'vitest'
import { operations, tokenPath, tokenResponse } from '#contract'
import { credentialsOf } from './testService.ts'

/** One request of a client: the signing key of its token, its port, and its status, undefined without a response. */
export interface Sent {
  readonly kid: string
  readonly port: number
  readonly status: number | undefined
  /** True if a restart was in progress between its start and its end. */
  readonly meanwhile: boolean
}

const clients = 8
/** Requests between two tokens of a client. It continues to use its first token too. */
const perToken = 5

/** Clients that send requests one after the other, to any live port. */
export function startCrowd(firstPort: number) {
  const sent: Sent[] = []
  const inFlight = new Map<number, number>()
  const state = { live: [firstPort] as readonly number[], stopped: false }
  let restarts = { begun: 0, ended: 0 }

  async function post(port: number, path: string, kid: string, init: RequestInit): Promise<Response | undefined> {
    const endedBefore = restarts.ended
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init }).catch(() => undefined)
    sent.push({ kid, port, status: response?.status, meanwhile: restarts.begun > endedBefore })
    return response
  }

  async function signIn(port: number): Promise<string | undefined> {
    const response = await post(port, tokenPath, 'none', { body: new URLSearchParams(credentialsOf('acme')) })
    if (response?.status !== 200) return undefined
    return tokenResponse.parse(await response.json()).access_token
  }

  /** Sends requests until the crowd stops. Returns the client's first token. */
  async function client(index: number): Promise<string> {
    let first: string | undefined
    let newest: string | undefined
    for (let turn = index; !state.stopped; turn++) {
      const port = state.live[turn % state.live.length] ?? firstPort
      inFlight.set(port, (inFlight.get(port) ?? 0) + 1)
      await oneTurn(port, turn)
      inFlight.set(port, (inFlight.get(port) ?? 0) - 1)
    }
    return first ?? ''

    async function oneTurn(port: number, turn: number): Promise<void> {
      if (newest === undefined || turn % perToken === 0) newest = (await signIn(port)) ?? newest
      first ??= newest
      // Each of its tokens goes to each process.
      const token = Math.floor(turn / 2) % 2 === 0 ? first : newest
      if (token === undefined) return
      const { kid = '' } = decodeProtectedHeader(token)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await post(port, operations.GetPickUpPoints.path, kid, { headers, body: '{}' })
      await response?.arrayBuffer()
    }
  }

  const running = Array.from({ length: clients }, (_, index) => client(index))
  onTestFinished(() => {
    state.stopped = true
  })
  const served = (kid: string, port?: number, since = 0) =>
    sent.slice(since).filter(one => one.kid === kid && one.status === 200 && (port ?? one.port) === one.port).length

  return {
    sent,
    state,
    /** Waits until tokens of a key were accepted this often after `since` requests, at a port or at any. */
    until: (count: number, kid: string, port?: number, since = sent.length) =>
      vi.waitFor(() => expect(served(kid, port, since)).toBeGreaterThanOrEqual(count), { timeout: 30_000 }),
    /** Waits for the pending responses of a port. */
    idle: (port: number) => vi.waitFor(() => expect(inFlight.get(port)).toBe(0), { timeout: 10_000 }),
    /** Restarts a service. Requests that are in progress meanwhile may be lost. */
    async duringRestart(restart: () => Promise<void>): Promise<void> {
      restarts = { ...restarts, begun: restarts.begun + 1 }
      await restart()
      restarts = { ...restarts, ended: restarts.ended + 1 }
    },
    /** The first token of each client. */
    async stop(): Promise<readonly string[]> {
      state.stopped = true
      return Promise.all(running)
    },
  }
}
