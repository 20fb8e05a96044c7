import type { Envelope, OperationName, RequestOf, ResponseOf } from '#contract'
import type { Settings } from '#service'
import { startTestService, type TestService } from './harness.ts'
import { topology } from './places.ts'

/** The body of an answer, as of a success; a refusal has the envelope only. */
export type Reply<Name extends OperationName> = Envelope & ResponseOf<Name> & { readonly retryAfter?: number }

/** A running service whose answers are typed, with the places of `places.ts`. */
export interface World {
  readonly service: TestService
  call<Name extends OperationName>(name: Name, body: RequestOf<Name>, tenant?: string): Promise<Reply<Name>>
  stop(): Promise<void>
}

/** Tokens outlive the longest journey of a test's clock, in seconds. */
const tokenLife = 30 * 86_400

export async function startWorld(overrides: Partial<Settings> = {}): Promise<World> {
  const service = await startTestService({ topology, tokenLife, ...overrides })
  return {
    service,
    async call<Name extends OperationName>(name: Name, body: RequestOf<Name>, tenant = 'acme') {
      const { headers, body: reply } = await service.call(name, body, { client: tenant })
      const wait = headers.get('retry-after')
      return { ...reply, ...(wait !== null && { retryAfter: Number(wait) }) } as unknown as Reply<Name>
    },
    stop: service.stop,
  }
}
