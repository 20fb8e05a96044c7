/** The task queue that flows run on unless a setting says otherwise. */
export const taskQueue = 'lockerflow'

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
