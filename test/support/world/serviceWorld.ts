import type { Envelope, OperationName, RequestOf, ResponseOf } from '#contract'
import type { Settings } from '#service'
import { startTestService, type TestService } from '../service/testService.ts'
import { topology } from '../service/topology.ts'

/** The body of a response, typed as a success. A refusal has only the envelope. */
export type Reply<Name extends OperationName> = Envelope & ResponseOf<Name> & { readonly retryAfter?: number }

/** A running service with typed calls and the pick up points of `service/topology.ts`. */
export interface ServiceWorld {
  readonly service: TestService
  call<Name extends OperationName>(name: Name, body: RequestOf<Name>, tenant?: string): Promise<Reply<Name>>
  stop(): Promise<void>
}

/** Lifetime of tokens in seconds; longer than any test moves the clock. */
export const tokenLifetime = 30 * 86_400

export async function startServiceWorld(overrides: Partial<Settings> = {}): Promise<ServiceWorld> {
  return toServiceWorld(await startTestService({ topology, tokenLifetime, ...overrides }))
}

export function toServiceWorld(service: TestService): ServiceWorld {
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
