/** The task queue that flows run on unless a setting says otherwise. */
export const taskQueue = 'lockerflow'

/** Ends the name of the second task queue, which each worker polls with slots of its own. */
const outsideSuffix = '-outside'

/**
 * The task queue of the activities that wait for outside parties: files, receivers of notifications, bookings of other flows,
 * and run steps of a team. However long they wait, activities that book have their slots.
 */
export function toOutsideQueue(taskQueue: string): string {
  return taskQueue + outsideSuffix
}

/** The task queues that every worker of flows polls, with Temporal's numbers of their types. */
export function workerQueues(taskQueue: string) {
  return [
    { kind: 'workflow', name: taskQueue, type: 1 },
    { kind: 'activity', name: taskQueue, type: 2 },
    { kind: 'outside', name: toOutsideQueue(taskQueue), type: 2 },
  ] as const
}

/** The task queue of the flows, for an activity on either queue. */
export function toFlowQueue(taskQueue: string): string {
  return taskQueue.endsWith(outsideSuffix) ? taskQueue.slice(0, -outsideSuffix.length) : taskQueue
}

/** The statuses of gRPC by which Temporal refuses a call. */
export const grpcStatuses = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const
