import { httpUrl, type Variable } from '#contract/settings'

/** The variables of the verbs `flow …`, beside those of the connection to Temporal. */
export const flowVariables = {
  LOCKERFLOW_TEMPORAL_UI_URL: {
    description:
      "Address of Temporal's Web UI, for links to cases. By default that of Temporal Cloud for its addresses, and for a server on this machine the port of `LOCKERFLOW_TEMPORAL_UI_PORT`.",
    example: 'https://temporal.example.org',
    schema: httpUrl.optional(),
  },
} as const satisfies Record<string, Variable>
