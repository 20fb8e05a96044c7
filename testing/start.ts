import type { FlowDeclaration } from '#flows/declaration'
import { lockersOptions, requireKnown, serviceOptions } from './options.ts'
import type { LockerService, Lockers, LockersOptions, ServiceOptions } from './types.ts'

/** The embedded store of the service needs it. */
const neededMajor = 24

/**
 * Starts everything that flows need, isolated from other calls: a task queue, ports and a store of its own. Needs Node 24 or 26.
 *
 * ```ts
 * await using lockers = await startLockers()
 * const ToUserUid = await lockers.people.create('robin')
 * ```
 *
 * @throws Error on an older Node, with fake timers, for an unknown option, an invalid topology or flow, or when Temporal cannot be
 * started
 */
export async function startLockers<const Own extends FlowDeclaration = never>(
  options: LockersOptions<Own> = {},
): Promise<Lockers<Own>> {
  requireKnown(options, lockersOptions)
  requireNode()
  requireRealTimers()
  const embedded = await import('./embedded/lockers.ts')
  return embedded.startLockers(options)
}

/** @throws Error on a Node that cannot run the service */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= neededMajor) return
  throw new Error(
    `Node must be ${neededMajor} or later to start the service in this process, got ${version}. ` +
      'Run the tests with a newer Node, or start the service elsewhere and use connectLockers.',
  )
}

/** Fake timers of vitest and jest have a clock. @throws Error with them: the start would never end */
function requireRealTimers(): void {
  if (!Object.hasOwn(setTimeout, 'clock')) return
  throw new Error(
    'setTimeout must be real, since the parts of the stack wait by it. End the fake timers of the test runner, ' +
      "or fake the date alone by { toFake: ['Date'] }. clock.advance moves the time of the stack.",
  )
}

/**
 * Starts the service alone, for tests of programs that call its operations. Needs Node 24 or 26.
 *
 * ```ts
 * await using service = await startService()
 * await service.api.call('GetPickUpPoints', {})
 * ```
 *
 * @throws Error on an older Node, or when an option is unknown or the topology invalid
 */
export async function startService(options: ServiceOptions = {}): Promise<LockerService> {
  requireKnown(options, serviceOptions)
  requireNode()
  const embedded = await import('./embedded/service.ts')
  return embedded.startService(options)
}
