import type { ConnectionOptions } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { afterAll, beforeAll, inject } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import { type FlowApi, startFlowApi } from '../../../gateway/flowApi/index.ts'
import type { FlowApiLimits } from '../../../gateway/flowApi/settings.ts'
import type { TokenIssuer } from '../../../gateway/flowApi/tokens/issuer.ts'
import type { Readiness } from '../../../gateway/readiness.ts'
import type { World } from '../world/flowWorld.ts'
import { silentLog, type Temporal } from '../world/settings.ts'
import { type Issuer, startIssuer } from './issuer.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any kind, which the tests compare.
  readonly body: any
}

/** A flow API to the flows of a world, with an issuer and calls that have a token. */
export interface TestFlowApi {
  readonly issuer: Issuer
  readonly address: string
  call(method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Another flow API to the same flows. */
  open(options: FlowApiOptions): Promise<FlowApi>
}

export interface FlowApiOptions {
  readonly limits?: Partial<FlowApiLimits>
  readonly flows?: readonly FlowDeclaration[]
  readonly flowFiles?: readonly string[]
  readonly decisionKeys?: readonly string[]
  readonly taskQueue?: string
  /** By default the issuer of the tests. */
  readonly issuers?: readonly TokenIssuer[]
  readonly dataConverter?: DataConverter
  /** By default the Temporal of the tests. */
  readonly temporal?: Pick<ConnectionOptions, 'address'>
  /** By default nothing is missing. */
  readonly readiness?: Pick<Readiness, 'missing'>
}

/** Starts a flow API for a test file. @param serverOf the server of the world */
export function useFlowApi(
  world: World,
  options: FlowApiOptions = {},
  serverOf: () => Temporal = () => inject('temporal'),
): TestFlowApi {
  const flowApi = {} as { -readonly [Name in keyof TestFlowApi]: TestFlowApi[Name] }
  const opened: FlowApi[] = []
  const stopping = new AbortController()

  beforeAll(async () => {
    const issuer = await startIssuer()
    const token = await issuer.token()
    const open = async ({
      limits = {},
      flows = [],
      flowFiles = [],
      decisionKeys = [],
      taskQueue = world.taskQueue,
      issuers = [{ kind: 'openid', issuer: issuer.url, audience: issuer.audience }],
      ...rest
    }: FlowApiOptions) => {
      const temporal = serverOf()
      const one = await startFlowApi(
        {
          host: '127.0.0.1',
          port: 0,
          issuers,
          flows,
          flowFiles,
          decisionKeys,
          // A loaded machine must not refuse what a test does not ask about.
          limits: { rate: 10_000, checkedTokens: 10_000, eventLoopDelay: 60_000, ...limits },
        },
        {
          temporal: { address: temporal.address },
          namespace: temporal.namespace,
          taskQueue,
          log: silentLog,
          clock: Date.now,
          readiness: { missing: () => [] },
          observer: undefined,
          stopping: stopping.signal,
          ...rest,
        },
      )
      opened.push(one)
      return one
    }
    const { address } = await open(options)
    Object.assign(flowApi, { issuer, address, open, call: callsOf(address, token) })
  })

  afterAll(async () => {
    stopping.abort()
    await Promise.all(opened.map(one => one.stop(1_000)))
    await flowApi.issuer.stop()
  })

  return flowApi
}

/** Calls of a flow API with a token. */
export function callsOf(address: string, token: string): TestFlowApi['call'] {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
}
