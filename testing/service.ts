import type { Api } from '#api'
import type { Topology } from '#service'
import type { Clock } from './clock.ts'
import { requireNode } from './node.ts'
import type { People } from './people.ts'

export interface ServiceOptions {
  /** A topology, or the path of its file; by default the built-in one with two pick up points. */
  readonly topology?: Topology | string
}

/** A service in this process, with an empty store in memory. */
export interface LockerService extends AsyncDisposable {
  /** Both the base URL and the address of the token endpoint. */
  readonly url: string
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  /** Typed calls of its operations. */
  readonly api: Api
  readonly people: People
  /** Moves the clock of the service. */
  readonly clock: Clock
  stop(): Promise<void>
}

/**
 * Starts the service alone, for tests of programs that call its operations. Needs Node 24.
 *
 * ```ts
 * await using service = await startService()
 * await service.api.call('GetPickUpPoints', {})
 * ```
 *
 * @throws Error on an older Node, or when the topology is invalid
 */
export async function startService(options: ServiceOptions = {}): Promise<LockerService> {
  requireNode()
  const { startAlone } = await import('./embedded/service.ts')
  return startAlone(options)
}
