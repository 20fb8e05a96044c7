/** Types of search attributes that Temporal knows. */
export type SearchAttributeType = 'Keyword' | 'KeywordList' | 'Bool' | 'Text' | 'Datetime' | 'Int' | 'Double'

/** Search attributes by a key of one's own, as the contract declares them. */
export type SearchAttributes = Readonly<Record<string, { readonly name: string; readonly type: SearchAttributeType }>>

/** What the server's command line is made from. */
export type ServerShape = {
  databaseFile: string
  ip: string
  namespace: string
  searchAttributes?: SearchAttributes
  logLevel?: 'debug' | 'info' | 'warn' | 'error'
  /** Settings of the server beside ours, as `key=value`. */
  dynamicConfig?: readonly string[]
}

/** The ports of one server; without a Web UI there is only one. */
export type ServerPorts = { port: number; uiPort: number | undefined }

/** The dev server polls and bundles timers for a quiet laptop: 50 ms a dispatch, up to 1 s a timer. A cluster does not. */
const dynamicConfig = ['history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxTimeShift="10ms"']

/** Every step of a flow is several commits: with these they wait for no disk, and what a stop leaves is still whole. */
const sqlitePragmas = ['journal_mode=wal', 'synchronous=normal']

/** The command line of `temporal` for a dev server. */
export function serverArguments(shape: ServerShape, ports: ServerPorts): string[] {
  return [
    'server',
    'start-dev',
    ...['--db-filename', shape.databaseFile],
    ...sqlitePragmas.flatMap(value => ['--sqlite-pragma', value]),
    ...['--ip', shape.ip],
    ...['--port', String(ports.port)],
    ...(ports.uiPort === undefined ? ['--headless'] : ['--ui-port', String(ports.uiPort)]),
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
