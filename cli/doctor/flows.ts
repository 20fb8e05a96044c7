import { flows as builtIn, findCaseNo, toWorkflowId } from '#flows'
import { type Finding, type Installation, ok, wrong } from './examination.ts'
import { ask } from './temporal.ts'

/** Maximum number of cases that a finding names. */
const maxNamed = 3

/** Checks the declarations of custom flows, and that workers poll the task queues that they name for their activities. */
export async function examineOwnFlows(installation: Installation): Promise<Finding> {
  const { environment, target } = installation
  const { LOCKERFLOW_FLOWS: pattern } = environment
  if (!pattern) return ok('none, since LOCKERFLOW_FLOWS is not set')
  // The compiler of declarations takes a moment to load.
  const { loadFlows } = await import('#flows/check')
  const { flows, faults } = await loadFlows([pattern], { taken: Object.keys(builtIn) })
  const invalid = faults.filter(({ warning }) => !warning)
  if (invalid.length > 0)
    return wrong(
      `faults in the declarations of ${pattern}: ${invalid.length}`,
      `Run lockerflow flows check '${pattern}'.`,
    )
  return ask(installation, async connection => {
    const { findUnpolledRuns } = await import('../flows/pollers.ts')
    const unpolled = await findUnpolledRuns(connection, target, flows)
    const others = unpolled.flatMap(({ flow, run, taskQueue }) =>
      taskQueue === undefined ? [] : [`${taskQueue} (activity ${run} of ${flow})`],
    )
    const names = Object.keys(flows).join(', ')
    if (others.length === 0) return ok(names)
    return wrong(
      `no worker polls ${others.join(', ')}`,
      'Start a worker for each of these task queues, or correct taskQueue in the declaration.',
    )
  })
}

/** Checks that no flow is paused: a paused flow responds to no caller. */
export async function examinePausedFlows(installation: Installation): Promise<Finding> {
  const { namespace } = installation.target
  const query = `WorkflowId STARTS_WITH '${toWorkflowId('')}' AND ExecutionStatus = 'Paused'`
  return ask(installation, async ({ workflowService }) => {
    const { count } = await workflowService.countWorkflowExecutions({ namespace, query })
    if (Number(count) === 0) return ok('none')
    const { executions } = await workflowService.listWorkflowExecutions({ namespace, query, pageSize: maxNamed })
    const cases = executions.flatMap(({ execution }) => findCaseNo(execution?.workflowId ?? '') ?? [])
    return wrong(
      `${count}: ${cases.join(', ')}${Number(count) > cases.length ? ' and others' : ''}`,
      'Unpause each of them: temporal workflow unpause --workflow-id case:<case number>.',
    )
  })
}
