import { decodeProtectedHeader } from 'jose'
import { expect, onTestFinished, vi } from 'vitest'
import { operations, tokenPath, tokenResponse } from '#contract'
import { credentialsOf } from './harness.ts'

/** One request of a client: whose key signed its token, where it went, and its status; undefined without an answer. */
export interface Sent {
  readonly kid: string
  readonly port: number
  readonly status: number | undefined
  /** Whether a restart was going on when it was sent or when it ended. */
  readonly meanwhile: boolean
}

const clients = 8
/** Requests until a client asks for its next token; it goes on using its first one too. */
const perToken = 5

/** Clients that send one request after the other to whichever of the ports is live. */
export function startCrowd(firstPort: number) {
  const sent: Sent[] = []
  const underWay = new Map<number, number>()
  const state = { live: [firstPort] as readonly number[], restarting: false, stopped: false }

  async function post(port: number, path: string, kid: string, init: RequestInit): Promise<Response | undefined> {
    const before = state.restarting
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init }).catch(() => undefined)
    sent.push({ kid, port, status: answer?.status, meanwhile: before || state.restarting })
    return answer
  }

  async function signIn(port: number): Promise<string | undefined> {
    const answer = await post(port, tokenPath, 'none', { body: new URLSearchParams(credentialsOf('acme')) })
    if (answer?.status !== 200) return undefined
    return tokenResponse.parse(await answer.json()).access_token
  }

  /** The client's first token, once it is told to stop. */
  async function client(index: number): Promise<string> {
    let first: string | undefined
    let newest: string | undefined
    for (let turn = index; !state.stopped; turn++) {
      const port = state.live[turn % state.live.length] ?? firstPort
      underWay.set(port, (underWay.get(port) ?? 0) + 1)
      await oneTurn(port, turn)
      underWay.set(port, (underWay.get(port) ?? 0) - 1)
    }
    return first ?? ''

    async function oneTurn(port: number, turn: number): Promise<void> {
      if (newest === undefined || turn % perToken === 0) newest = (await signIn(port)) ?? newest
      first ??= newest
      // Both its tokens to both processes, whichever they are.
      const token = Math.floor(turn / 2) % 2 === 0 ? first : newest
      if (token === undefined) return
      const { kid = '' } = decodeProtectedHeader(token)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await post(port, operations.GetPickUpPoints.path, kid, { headers, body: '{}' })
      await answer?.arrayBuffer()
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
    /** Waits until tokens of a key were taken so often after `since` requests, by the process at a port or by any. */
    until: (count: number, kid: string, port?: number, since = sent.length) =>
      vi.waitFor(() => expect(served(kid, port, since)).toBeGreaterThanOrEqual(count), { timeout: 30_000 }),
    /** Waits for the answers that a port still owes. */
    idle: (port: number) => vi.waitFor(() => expect(underWay.get(port)).toBe(0), { timeout: 10_000 }),
    /** The first token of each client. */
    async stop(): Promise<readonly string[]> {
      state.stopped = true
      return Promise.all(running)
    },
  }
}
