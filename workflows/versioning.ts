import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'
import { findDeclaration, lifetimeOf } from '#workflows/flows'

/** The worker says so in front of the bundle: Temporal refuses a behaviour from one that is no build. */
const { lockerflowIsVersioned = false } = globalThis as { lockerflowIsVersioned?: boolean }

/**
 * Says to Worker Versioning what becomes of a flow when another build is promoted, by its declared lifetime. Temporal
 * hears it at each task, from the build at hand; it is no part of what is replayed. Whatever is no flow ends soon.
 */
export function versionByLifetime(workflow: (...input: never[]) => Promise<unknown>): void {
  if (!lockerflowIsVersioned) return
  setWorkflowOptions(() => {
    const flow = findDeclaration(workflowInfo().workflowType)
    const moves = flow !== undefined && lifetimeOf(flow) === 'long'
    return { versioningBehavior: moves ? 'AUTO_UPGRADE' : 'PINNED' }
  }, workflow)
}
