import { gatewayVariables } from '#gateway'
import { codecServerVariables } from '#gateway/codecServer'
import { codecVariables } from '#platform/codec'
import type { Variable } from '#platform/settings'
import { telemetryVariables } from '#platform/telemetry'
import { serviceVariables } from '#service'
import { stackVariables } from '#testing/stack/settings'
import { preparationVariables, promotionVariables, workerVariables } from '#worker'
import { flowVariables } from '../flow/webUi.ts'
import { generated, table } from './markdown.ts'

const { LOCKERFLOW_TASK_QUEUE } = workerVariables

/** The settings that each process declares. */
export const processes = {
  service: { ...serviceVariables, ...telemetryVariables },
  gateway: { ...gatewayVariables, ...telemetryVariables },
  worker: { ...workerVariables, ...telemetryVariables },
  codec: codecServerVariables,
  audit: {
    LOCKERFLOW_DATABASE_URL: serviceVariables.LOCKERFLOW_DATABASE_URL,
    LOCKERFLOW_DATABASE_TLS: serviceVariables.LOCKERFLOW_DATABASE_TLS,
    LOCKERFLOW_DATABASE_CA: serviceVariables.LOCKERFLOW_DATABASE_CA,
    LOCKERFLOW_LOG_LEVEL: serviceVariables.LOCKERFLOW_LOG_LEVEL,
    ...codecVariables,
  },
  preparation: preparationVariables,
  promotion: promotionVariables,
  'dev, demo': stackVariables,
  flow: { ...codecVariables, ...flowVariables, LOCKERFLOW_TASK_QUEUE },
  'sweep, doctor': { LOCKERFLOW_TASK_QUEUE },
} as const

/** The meaning of each name in the column "read by". */
const readers: Readonly<Record<keyof typeof processes, string>> = {
  service:
    '`lockerflow service`. The verbs that work on its store, such as `clients`, read the same settings of the store',
  gateway: '`lockerflow gateway`, which receives callbacks and serves the flow API',
  worker: '`lockerflow worker`',
  codec: '`lockerflow codec`, the codec server',
  audit: '`lockerflow audit export` and `audit collect`',
  preparation: '`node worker/prepare.ts` of the image, which makes the namespace and its search attributes',
  promotion: '`lockerflow promote`',
  'dev, demo': '`lockerflow dev` and `lockerflow demo`, which start all processes',
  flow: 'the verbs of `lockerflow flow`',
  'sweep, doctor': '`lockerflow sweep` and `lockerflow doctor`',
}

/** docs/reference/settings.md: every environment variable of every process. */
export function settingsPage(): string {
  const names = [...new Set(Object.values(processes).flatMap(variables => Object.keys(variables)))].sort()
  return `${[
    generated,
    '# Settings',
    'Each process reads its settings from the environment at its start. If any are missing or invalid, it stops with one message that names all of them, together with the faults of the files that they name. An empty variable counts as not set. A misspelled one is ignored, and the process logs `unknown-setting` with its name and the nearest known one. A secret may come from a file: set the variable `…_FILE` to its path, for example of a secret of Docker. Line breaks at its end do not count. Production refuses the secrets of the examples.',
    table(
      ['variable', 'read by', 'meaning', 'default', 'example'],
      names.map(name => row(name)),
    ),
    'The column "read by" has these names:',
    table(['name', 'process or command'], Object.entries(readers)),
    'Temporal has its own variables: `TEMPORAL_ADDRESS` (127.0.0.1:7233), `TEMPORAL_NAMESPACE` (default), `TEMPORAL_API_KEY` (or `TEMPORAL_API_KEY_FILE`) and `TEMPORAL_TLS_…`, see [run-with-compose.md](../how-to/run-with-compose.md#temporal-cloud). The demo, `lockerflow dev` and the tests start a server of their own unless `TEMPORAL_ADDRESS` is set. The demo uses a free port for each port that is not set.',
    'Every process reaches Temporal on another host through the proxy of `grpc_proxy`, `https_proxy` or `http_proxy`, unless `no_grpc_proxy` or `no_proxy` names the host. The proxy has an http address, may have a user and a password, and must allow CONNECT to the port of Temporal. With `NODE_USE_ENV_PROXY=1`, calls to the service and its token endpoint use the proxy of `https_proxy` or `http_proxy`, unless `no_proxy` names the host. Callbacks, notifications and files at a `url` never go through a proxy, because their addresses are checked when they are dialled.',
    'OpenTelemetry has more variables than the `OTEL_` ones of the table, for instance `OTEL_BSP_SCHEDULE_DELAY`. Its SDK reads these variables itself: [specification](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).',
    topology,
  ].join('\n\n')}\n`
}

function row(name: string): string[] {
  const declaring = Object.entries(processes).filter(([, variables]) => name in variables)
  const declared: Record<string, Variable> = declaring[0]?.[1] ?? {}
  const variable = declared[name]
  const { meaning, inWords } = splitDescription(variable?.description ?? '')
  return [
    `\`${name}\`${variable?.secret ? `, \`${name}_FILE\`` : ''}`,
    declaring.map(([process]) => process).join(', '),
    meaning,
    [inWords, toDefault(variable)].filter(text => text !== '').join('; '),
    variable?.example ? `\`${variable.example}\`` : '',
  ]
}

/** The meaning of a setting, and its default in words, such as `8 in production` of the sentence `Default: 8 in production.` */
function splitDescription(description: string): { meaning: string; inWords: string } {
  const sentence = / ?Default(?: ([^:.]+))?: (.+?)\.(?=$| [A-Z])/
  const [, condition = '', words = ''] = sentence.exec(description) ?? []
  return {
    meaning: description.replace(sentence, '').trim(),
    inWords: condition === '' ? words : `${condition}: ${words}`,
  }
}

/** The value of an unset variable. */
function toDefault(variable: Variable | undefined): string {
  if (variable?.staging !== undefined) return `\`${variable.staging}\` in staging, required in production`
  if (variable?.production?.required) return 'required in production'
  const read = variable?.schema.safeParse(undefined)
  if (!read?.success || read.data === undefined) return ''
  const { data } = read
  if (Array.isArray(data) && data.length === 0) return ''
  if (typeof data === 'object') return 'as in the example'
  // Some durations stay texts, as flows write them.
  return `\`${typeof data === 'number' && isDuration(variable) ? toDuration(data) : data}\``
}

/** True if the example of a variable shows that it takes a duration. */
function isDuration(variable: Variable | undefined): boolean {
  return /^\d+[smhd]$/.test(variable?.example ?? '')
}

/** Milliseconds in the largest unit that divides them. */
function toDuration(milliseconds: number): string {
  const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 }
  const [unit, length] = Object.entries(units).find(([, length]) => milliseconds % length === 0) ?? ['ms', 1]
  return `${milliseconds / length}${unit}`
}

const topology = `## Topology file

The topology file lists tenants, API clients, pick up points and lockers, as YAML or JSON. The service applies the file at its start. A file only adds and updates: [operate](../how-to/operate.md#topology) says what a later file changes. A range of names consists of digits.

\`\`\`yaml
tenants:
  - name: acme
    dispatcher: { userName: acme, emailAddress: dispatch@acme.example, firstName: Acme, lastName: Dispatch }
    clients:
      - clientId: acme
        clientSecret: acme-secret      # production: random, 24 characters or more
pickUpPoints:
  - pupUid: pup-1
    name: Station Square
    timeZone: Europe/Amsterdam
    tenants: [acme]
    overflowPupUid: pup-2          # optional
    outOfService: flooded          # optional: why it takes no bookings
    lockers:
      - { names: "1-8", width: 40, height: 20, length: 60 }    # centimetres
      - { names: "9", width: 40, height: 20, length: 60, outOfService: door bent }  # optional, as above
  - pupUid: pup-2
    name: Harbour
    timeZone: Europe/Amsterdam
    tenants: [acme]
    lockers:
      - { names: "A1", lockerUid: locker-a1, width: 60, height: 60, length: 60 }
\`\`\``
