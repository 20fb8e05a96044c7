export const requestIdHeader = 'x-request-id'

/** Ids of callers that are safe to log. */
export const safeRequestId = /^[\w.:-]{1,100}$/
