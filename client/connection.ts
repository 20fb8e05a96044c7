import { loadClientConnectConfig } from '@temporalio/envconfig'
import { readSecret, SettingsError, type Source, withoutEmpty } from '#contract/settings'

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

function loadConfig(source: Source) {
  const name = 'TEMPORAL_API_KEY'
  const key = readSecret(source, name)
  if ('wrong' in key) throw new SettingsError({ name, example: 'the-key-of-your-namespace', ...key })
  try {
    return loadClientConnectConfig({ overrideEnvVars: withoutEmpty({ ...source, [name]: key.text }) })
  } catch (error) {
    // The other lines quote the file, which can contain the key.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    const wrong = `must name a valid configuration, together with the other TEMPORAL_ variables: ${reason}`
    throw new SettingsError({ name: 'TEMPORAL_CONFIG_FILE', wrong, example: '~/.config/temporalio/temporal.toml' })
  }
}
