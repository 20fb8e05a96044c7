import { requireNode } from './node.ts'
import type { LockerService, ServiceOptions } from './types.ts'

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
