import type { FlowDeclaration } from '#flows/declaration'
import { requireNode } from './node.ts'
import type { Lockers, LockersOptions } from './types.ts'

/**
 * Starts everything that flows need, isolated from other calls: a task queue, ports and a store of its own. Needs Node 24.
 *
 * ```ts
 * await using lockers = await startLockers()
 * const ToUserUid = await lockers.people.create('robin')
 * ```
 *
 * @throws Error on an older Node, for an invalid topology or flow, or when Temporal cannot be started
 */
export async function startLockers<const Own extends FlowDeclaration = never>(
  options: LockersOptions<Own> = {},
): Promise<Lockers<Own>> {
  requireNode()
  const { startEmbedded } = await import('./embedded/lockers.ts')
  return startEmbedded(options)
}
