import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'
import { type FlowDeclaration, flows, lifetimeOf, type PlainDeclaration, plainFlows } from '#workflows/flows'

const declared: Readonly<Record<string, FlowDeclaration | PlainDeclaration>> = { ...flows, ...plainFlows }

/**
 * Says to Worker Versioning what becomes of a flow when another build is promoted, by its declared lifetime. It is
 * asked at each task, of the build at hand, and is no part of the history. A name that is no flow's ends at once.
 */
export function versionByLifetime(workflow: (...input: never[]) => Promise<unknown>): void {
  setWorkflowOptions(() => {
    const flow = declared[workflowInfo().workflowType]
    const moves = flow !== undefined && lifetimeOf(flow) === 'long'
    return { versioningBehavior: moves ? 'AUTO_UPGRADE' : 'PINNED' }
  }, workflow)
}
