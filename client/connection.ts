import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig'
import { isPrivateHost } from '#platform/addresses'
import { readDataConverter } from '#platform/codec'
import {
  isProduction,
  type Problem,
  readNamedFile,
  readSecret,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  taskQueueVariable,
  withoutEmpty,
} from '#platform/settings'

/** The default of `temporal server start-dev`. */
const defaultAddress = '127.0.0.1:7233'

/** Bytes. A page of a history can be larger than the four megabytes that gRPC accepts by default. */
export const largeResponses = { 'grpc.max_receive_message_length': 64 * 1_024 * 1_024 }

/**
 * Reads the address of Temporal, its credentials and the namespace from Temporal's own variables (TEMPORAL_*) and its
 * configuration file, for every process that connects. Empty variables count as missing. The API key may come from a
 * file, as our own secrets do.
 * @throws SettingsError
 */
export function readTemporalConnection(source: Source) {
  const { connectionOptions, namespace = 'default' } = loadConfig(source)
  const { address = defaultAddress, apiKey, tls, metadata } = connectionOptions
  return {
    temporal: { address, ...(apiKey && { apiKey }), ...(tls !== undefined && { tls }), ...(metadata && { metadata }) },
    namespace,
  }
}

/** The address, namespace and task queue of the flows, and the codec of their histories. */
export interface TemporalTarget extends ReturnType<typeof readTemporalConnection> {
  readonly taskQueue: string
  readonly dataConverter: ReturnType<typeof readDataConverter>
}

/**
 * Reads the target of commands that talk to flows.
 * @throws SettingsError
 */
export function readTemporalTarget(source: Source): TemporalTarget {
  const { temporal, dataConverter, values } = readTogether({
    temporal: () => readTemporalConnection(source),
    dataConverter: () => readDataConverter(source),
    values: () => readVariables(source, taskQueueVariable),
  })
  return { ...temporal, dataConverter, taskQueue: values.LOCKERFLOW_TASK_QUEUE }
}

/** Temporal's variables that name files other than its configuration. It would refuse them one at a time. */
const files = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH']

const configFile = { name: 'TEMPORAL_CONFIG_FILE', example: '~/.config/temporalio/temporal.toml' } as const

function loadConfig(source: Source) {
  const name = 'TEMPORAL_API_KEY'
  const key = readSecret(source, name)
  const unreadable = files.flatMap(file => findUnreadable(source, file, `/run/secrets/${file.toLowerCase()}`))
  // Temporal would leave out a configuration that is missing, and connect to this machine.
  const noConfig = findUnreadable(source, configFile.name, configFile.example)
  const noKey = 'wrong' in key ? [{ name, example: 'the-key-of-your-namespace', ...key }] : []
  const problems = [...noKey, ...unreadable, ...noConfig, ...findWrongTls(source), ...findWrongAddress(source)]
  // A readable file replaces an unreadable one, so that the other variables are checked.
  const readable = Object.fromEntries(unreadable.map(file => [file.name, import.meta.filename]))
  const others = { ...source, ...readable, ...(noConfig.length > 0 && { [configFile.name]: undefined }) }
  const { config } = readTogether({
    files() {
      if (problems.length > 0) throw new SettingsError(...problems)
    },
    config: () => readConfig({ ...others, [name]: 'text' in key ? key.text : undefined }),
  })
  return config
}

function findUnreadable(source: Source, name: string, example: string): Problem[] {
  const path = source[name]
  const read = path ? readNamedFile(path) : undefined
  return read && 'wrong' in read ? [{ name, example, ...read }] : []
}

/** Temporal reads any other word as false, and would send an API key without TLS for `True`. */
function findWrongTls({ TEMPORAL_TLS: text }: Source): Problem[] {
  if (!text || ['true', 'false', '1', '0'].includes(text)) return []
  return [{ name: 'TEMPORAL_TLS', wrong: 'must be true or false', example: 'true' }]
}

const addressRule = 'must be a host and a port without a scheme'

/** The SDK refuses other addresses when it connects, with an error that names no variable. */
function isAddress(text: string): boolean {
  const [, port] = /^(?:\[[\da-f.:]+\]|[^\s:/@[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [undefined, '0']
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
}

function findWrongAddress({ TEMPORAL_ADDRESS: text }: Source): Problem[] {
  if (!text || isAddress(text)) return []
  return [{ name: 'TEMPORAL_ADDRESS', wrong: addressRule, example: defaultAddress }]
}

function readConfig(source: Source) {
  const { profile, config } = loadProfile(source)
  const problems = [...findHalfOfPair(profile.tls), ...findMissingTls(config.connectionOptions, isProduction(source))]
  // The address in the variable was checked before.
  if (!source.TEMPORAL_ADDRESS && profile.address !== undefined && !isAddress(profile.address))
    problems.push({ ...configFile, wrong: `its address ${addressRule}` })
  if (problems.length > 0) throw new SettingsError(...problems)
  return config
}

/** Over a public network others could read the API key and the histories. */
function findMissingTls({ address = defaultAddress, apiKey, tls }: ConnectionOptions, production: boolean): Problem[] {
  if (tls) return []
  const [name, example] = ['TEMPORAL_TLS', 'true']
  if (apiKey !== undefined)
    return [{ name, wrong: 'must be true, since the API key would be sent without TLS', example }]
  if (!production || isPrivateHost(address.replace(/:\d+$/, ''))) return []
  return [
    { name, wrong: `must be true in production, since the host of Temporal is public. ${kubernetesHint}`, example },
  ]
}

const kubernetesHint = 'A service of Kubernetes needs .svc at the end of its name'

/** The SDK leaves out a certificate without its key, and would connect as an unknown client. */
function findHalfOfPair(tls: ReturnType<typeof loadClientConfigProfile>['tls']): Problem[] {
  if (tls === undefined || tls.disabled || (tls.clientCert === undefined) === (tls.clientKey === undefined)) return []
  const [name, wrong] =
    tls.clientKey === undefined
      ? ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'is missing. The client certificate needs its key']
      : ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'is missing. The client key needs its certificate']
  return [{ name, wrong, example: `/run/secrets/${name.toLowerCase()}` }]
}

type ConnectionOptions = ReturnType<typeof toClientOptions>['connectionOptions']

function loadProfile(source: Source) {
  try {
    const profile = loadClientConfigProfile({ overrideEnvVars: withoutEmpty(source) })
    return { profile, config: toClientOptions(profile) }
  } catch (error) {
    // The other lines quote the file, which can contain the key.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    const wrong =
      // The SDK does not expect a file without a profile.
      error instanceof TypeError && !('code' in error)
        ? 'must name a file with a profile, such as [profile.default]'
        : `must name a valid configuration, together with the other TEMPORAL_ variables: ${reason}`
    throw new SettingsError({ ...configFile, wrong })
  }
}
