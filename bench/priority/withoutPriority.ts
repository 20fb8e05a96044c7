import type { WorkflowClientInterceptor } from '@temporalio/client'

/** Removes the priority from every start, as a client of an older version sends it. */
export const withoutPriority: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => {
    const { priority: _, ...options } = input.options
    return next({ ...input, options })
  },
  startUpdateWithStart: (input, next) => {
    const { priority: _, ...workflowStartOptions } = input.workflowStartOptions
    return next({ ...input, workflowStartOptions })
  },
}
