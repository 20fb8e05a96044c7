import { describe, expect, test } from 'vitest'
import { toStatusMeaning } from '../../../contract/client/statusCodes.ts'

const final = { retryable: false, outcomeUnknown: false }
const retryableOnly = { retryable: true, outcomeUnknown: false }
const unknownOutcome = { retryable: true, outcomeUnknown: true }

describe('the meaning of a status', () => {
  test.each([
    [400, 'InvalidRequest', final],
    [401, 'Unauthorized', retryableOnly],
    [403, 'Forbidden', retryableOnly],
    [404, 'UnknownOperation', final],
    [405, 'MethodNotAllowed', final],
    [408, 'Unavailable', retryableOnly],
    [409, 'IdempotencyKeyInUse', unknownOutcome],
    [413, 'RequestTooLarge', final],
    [415, 'UnsupportedMediaType', final],
    [418, 'InvalidRequest', final],
    [422, 'IdempotencyKeyReused', final],
    [429, 'RateLimited', retryableOnly],
    [500, 'InternalError', unknownOutcome],
    [502, 'InternalError', unknownOutcome],
    [503, 'Unavailable', unknownOutcome],
    [504, 'InternalError', unknownOutcome],
    [307, 'MalformedResponse', unknownOutcome],
    [204, 'MalformedResponse', unknownOutcome],
  ])('%i: %s, %j', (status, code, consequences) => {
    expect(toStatusMeaning(status)).toEqual({ code, ...consequences })
  })
})
