import type { Settings } from '#service'
import { type ApiWorld, startApiWorld } from './apiWorld.ts'
import { type FlowOptions, startFlowWorld, type World } from './flowWorld.ts'
import { type ServiceWorld, startServiceWorld } from './serviceWorld.ts'

export interface WorldOptions {
  /** Settings of the service in which it differs from the defaults of the tests. */
  readonly service?: Partial<Settings>
}

/**
 * Builds a world of real parts. The options select them:
 * - none: the service, with typed calls
 * - `api`: also the orchestrator's client, the wire between them, and a user
 * - `temporal`: also a gateway, a worker with its own task queue, and the flow client
 * The caller stops it; `useWorld` and `useActivities` do that for a test file.
 */
export function createWorld(options: WorldOptions & FlowOptions): Promise<World>
export function createWorld(options: WorldOptions & { readonly api: true }): Promise<ApiWorld>
export function createWorld(options?: WorldOptions): Promise<ServiceWorld>
export async function createWorld({
  service,
  api = false,
  ...options
}: WorldOptions & { readonly api?: boolean } & Partial<FlowOptions> = {}): Promise<ServiceWorld> {
  const { temporal } = options
  if (temporal !== undefined) return startFlowWorld({ ...options, temporal }, service)
  return api ? startApiWorld(service) : startServiceWorld(service)
}
