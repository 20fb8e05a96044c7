import { loadClientConnectConfig } from '@temporalio/envconfig'
import {
  type Problem,
  readNamedFile,
  readSecret,
  readTogether,
  SettingsError,
  type Source,
  withoutEmpty,
} from '#contract/settings'

/** The default of `temporal server start-dev`. */
const defaultAddress = '127.0.0.1:7233'

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

/** Temporal's variables that name files beside its configuration, which it would refuse one after the other. */
const files = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH']

const configFile = { name: 'TEMPORAL_CONFIG_FILE', example: '~/.config/temporalio/temporal.toml' } as const

function loadConfig(source: Source) {
  const name = 'TEMPORAL_API_KEY'
  const key = readSecret(source, name)
  const unreadable = files.flatMap(file => findUnreadable(source, file, `/run/secrets/${file.toLowerCase()}`))
  // Temporal would leave out a configuration that is missing, and connect to this machine.
  const noConfig = findUnreadable(source, configFile.name, configFile.example)
  const noKey = 'wrong' in key ? [{ name, example: 'the-key-of-your-namespace', ...key }] : []
  const problems = [...noKey, ...unreadable, ...noConfig, ...findWrongTls(source)]
  // In place of an unreadable file a readable one, so that the other variables are checked.
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

/** Temporal takes every other word for false, and would send an API key without TLS for `True`. */
function findWrongTls({ TEMPORAL_TLS: text }: Source): Problem[] {
  if (!text || ['true', 'false', '1', '0'].includes(text)) return []
  return [{ name: 'TEMPORAL_TLS', wrong: 'must be true or false', example: 'true' }]
}

function readConfig(source: Source) {
  try {
    return loadClientConnectConfig({ overrideEnvVars: withoutEmpty(source) })
  } catch (error) {
    // The other lines quote the file, which can contain the key.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    const wrong = `must name a valid configuration, together with the other TEMPORAL_ variables: ${reason}`
    throw new SettingsError({ ...configFile, wrong })
  }
}
