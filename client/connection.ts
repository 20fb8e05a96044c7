import { loadClientConnectConfig } from '@temporalio/envconfig'
import { withoutEmpty } from '#contract/settings'

/** The default of `temporal server start-dev`. */
const defaultAddress = '127.0.0.1:7233'

/**
 * Reads the address of Temporal, its credentials and the namespace from Temporal's own variables (TEMPORAL_*) and its
 * configuration file, for every process that connects. Empty variables count as missing.
 */
export function readTemporalConnection(source: NodeJS.ProcessEnv) {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: withoutEmpty(source),
  })
  const { address = defaultAddress, apiKey, tls, metadata } = connectionOptions
  return {
    temporal: { address, ...(apiKey && { apiKey }), ...(tls !== undefined && { tls }), ...(metadata && { metadata }) },
    namespace,
  }
}
