import type { Variable } from '#contract/settings'
import { gatewayVariables } from '#gateway'
import { serviceVariables } from '#service'
import { preparationVariables, promotionVariables, workerVariables } from '#worker'
import { generated, table } from './markdown.ts'

const processes = {
  service: serviceVariables,
  gateway: gatewayVariables,
  worker: workerVariables,
  preparation: preparationVariables,
  promotion: promotionVariables,
} as const

/** docs/settings.md: every environment variable of every process. */
export function settingsPage(): string {
  const names = [...new Set(Object.values(processes).flatMap(variables => Object.keys(variables)))].sort()
  return `${[
    generated,
    '# Settings',
    'Each process reads its settings from the environment at its start, and stops at once with one message when one is wrong or missing. An empty variable counts as not set.',
    table(
      ['variable', 'read by', 'meaning', 'default', 'example'],
      names.map(name => row(name)),
    ),
    'Temporal is found by its own variables: `TEMPORAL_ADDRESS` (127.0.0.1:7233), `TEMPORAL_NAMESPACE` (default), `TEMPORAL_API_KEY`, `TEMPORAL_TLS_…`, of which [compose.md](compose.md#temporal-cloud) says more. The demo, `npm run dev` and the tests start a server of their own unless `TEMPORAL_ADDRESS` is given.',
    topology,
  ].join('\n\n')}\n`
}

function row(name: string): string[] {
  const readers = Object.entries(processes).filter(([, variables]) => name in variables)
  const declared: Record<string, Variable> = readers[0]?.[1] ?? {}
  const variable = declared[name]
  return [
    `\`${name}\``,
    readers.map(([process]) => process).join(', '),
    variable?.meaning ?? '',
    defaultOf(variable),
    variable?.example ? `\`${variable.example}\`` : '',
  ]
}

/** What the variable's own schema makes of nothing. */
function defaultOf(variable: Variable | undefined): string {
  const read = variable?.schema.safeParse(undefined)
  if (!read?.success || read.data === undefined) return ''
  return typeof read.data === 'object' ? 'as the example' : `\`${read.data}\``
}

const topology = `## Topology file

Tenants, API clients, pick up points and lockers, as YAML or JSON; applied at the start, additive and idempotent: [operations.md](operations.md#topology) says what a later file changes and what it does not. A range of names is digits only.

\`\`\`yaml
tenants:
  - name: acme
    dispatcher: { userName: acme, emailAddress: dispatch@acme.example, firstName: Acme, lastName: Dispatch }
    clients:
      - { clientId: acme, clientSecret: acme-secret }
pickUpPoints:
  - pupUid: pup-1
    name: Station Square
    timeZone: Europe/Amsterdam
    tenants: [acme]
    overflowPupUid: pup-2          # optional
    lockers:
      - { names: "1-8", width: 40, height: 20, length: 60 }    # centimetres
  - pupUid: pup-2
    name: Harbour
    timeZone: Europe/Amsterdam
    tenants: [acme]
    lockers:
      - { names: "A1", lockerUid: locker-a1, width: 60, height: 60, length: 60 }
\`\`\``
