import type { Headers, WorkflowInterceptors } from '@temporalio/workflow'

/** Passes the header `trace` of a start to the activities, as the interceptors of tracing libraries do. */
export const interceptors = (): WorkflowInterceptors => {
  let passed: Headers = {}
  return {
    inbound: [
      {
        execute(input, next) {
          const { trace } = input.headers
          passed = trace === undefined ? {} : { trace }
          return next(input)
        },
      },
    ],
    outbound: [{ scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...passed } }) }],
  }
}
