import { DefaultFailureConverter } from '@temporalio/common'

/**
 * Moves message and stack trace of failures into a payload, which the codec encrypts. Temporal loads this file by its
 * path. Workflows have one of their own, workflows/converters.ts.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true })
