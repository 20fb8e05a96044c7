export type SearchAttributeType = 'Keyword' | 'KeywordList' | 'Bool' | 'Text' | 'Datetime' | 'Int' | 'Double'

/** Search attributes by any key, as flows declare them. */
export type SearchAttributes = Readonly<Record<string, { readonly name: string; readonly type: SearchAttributeType }>>

/** The server's settings, apart from its ports. */
export type ServerShape = {
  databaseFile: string
  ip: string
  namespace: string
  searchAttributes?: SearchAttributes
  /** The codec server that the Web UI asks to decode payloads. */
  uiCodecEndpoint?: string
  logLevel?: 'debug' | 'info' | 'warn' | 'error'
  /** Further dynamic configuration of the server, as `key=value`. */
  dynamicConfig?: readonly string[]
}

/** The Web UI's port is undefined if headless. */
export type ServerPorts = { port: number; uiPort: number | undefined }

const dynamicConfig = [
  // By default, the dev server saves power: dispatching takes 50 ms, timers up to 1 s. A cluster does not do that.
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxTimeShift="10ms"',
  // Off by default. It does not cover the queues of cached workflows.
  'matching.enableFairness=true',
  // Reports a flow that makes no progress after two failures of its workflow task, ten seconds apart. Five take a minute.
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=2',
  // Each partition of a queue has an order of its own. One process gains nothing from several.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
]

/** Every step of a flow makes several commits. With these pragmas none waits for the disk, and a crash corrupts nothing. */
const sqlitePragmas = ['journal_mode=wal', 'synchronous=normal']

/** Arguments of `temporal` for a dev server. */
export function serverArguments(shape: ServerShape, ports: ServerPorts): string[] {
  return [
    'server',
    'start-dev',
    ...['--db-filename', shape.databaseFile],
    ...sqlitePragmas.flatMap(value => ['--sqlite-pragma', value]),
    ...['--ip', shape.ip],
    ...['--port', String(ports.port)],
    ...(ports.uiPort === undefined ? ['--headless'] : ['--ui-port', String(ports.uiPort)]),
    ...(shape.uiCodecEndpoint === undefined ? [] : ['--ui-codec-endpoint', shape.uiCodecEndpoint]),
    ...['--namespace', shape.namespace],
    ...[...dynamicConfig, ...(shape.dynamicConfig ?? [])].flatMap(value => ['--dynamic-config-value', value]),
    ...Object.values(shape.searchAttributes ?? {}).flatMap(({ name, type }) => [
      '--search-attribute',
      `${name}=${type}`,
    ]),
    ...['--log-level', shape.logLevel ?? 'warn'],
    ...['--color', 'never'],
  ]
}
