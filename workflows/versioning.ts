import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'
import type { VersioningBehavior } from '#flows/versioning'

/**
 * The versioning behaviour of each workflow type that the worker declares, own flows included. Set by worker/bundle.ts in
 * the bundle of a versioned worker: Temporal rejects a versioning behaviour from others. `currentDeploymentVersion`
 * cannot tell: the SDK calls the getter below once, and in a replay that is the version of the first workflow task.
 */
const { lockerflowVersioning: behaviors } = globalThis as {
  lockerflowVersioning?: Readonly<Record<string, VersioningBehavior>>
}

/**
 * Reports the versioning behaviour of a workflow to Temporal, from the declarations that the running build has. It is not
 * part of the history. A flow without a declaration was removed after it had moved to the build, so it keeps moving.
 */
export function setVersioningBehavior(workflow: (...input: never[]) => Promise<unknown>): void {
  if (behaviors === undefined) return
  setWorkflowOptions(() => {
    const { workflowType } = workflowInfo()
    const declared = Object.hasOwn(behaviors, workflowType) ? behaviors[workflowType] : undefined
    return { versioningBehavior: declared ?? 'AUTO_UPGRADE' }
  }, workflow)
}
