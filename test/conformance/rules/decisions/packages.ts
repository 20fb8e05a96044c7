import type { Rule } from '../../rule.ts'

/** The decisions on the published packages. */
export const packageDecisions: readonly Rule[] = [
  {
    section: 'D-350 Three packages from one source tree',
    rule: 'The packages contain what their entries need, and nothing else.',
    heldBy: ['test/release/contents.test.ts'],
  },
  {
    section: 'D-351 Plain types in the client',
    rule: 'The interfaces of requests and responses agree with the types that zod infers.',
    heldBy: ['test/release/operationTypes.test.ts'],
  },
  {
    section: "D-352 Temporal's client is a peer",
    rule: "The client imports nothing but the caller's copy of @temporalio/client and Node.",
    heldBy: ['test/release/contents.test.ts > @lockerflow/client > imports Temporal and Node only'],
  },
]
