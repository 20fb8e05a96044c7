import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'
import { findDeclaration, toVersioningBehavior } from '#flows'

/**
 * Set by worker/bundle.ts. Temporal rejects a versioning behaviour from unversioned workers. `currentDeploymentVersion`
 * cannot tell: the SDK calls the getter below once, and in a replay that is the version of the first workflow task.
 */
const { lockerflowIsVersioned = false } = globalThis as { lockerflowIsVersioned?: boolean }

/**
 * Reports the versioning behaviour of a workflow to Temporal, from the declaration that the running build has. It is not
 * part of the history. Workflows that are not flows end soon and are pinned.
 */
export function setVersioningBehavior(workflow: (...input: never[]) => Promise<unknown>): void {
  if (!lockerflowIsVersioned) return
  setWorkflowOptions(() => {
    const flow = findDeclaration(workflowInfo().workflowType)
    return { versioningBehavior: flow === undefined ? 'PINNED' : toVersioningBehavior(flow) }
  }, workflow)
}
