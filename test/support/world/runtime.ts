import { ensureRuntime } from '#worker'

/**
 * Installs Temporal's runtime for a test file. It ends with the last connection, so a file of the same process that failed
 * may have left it, and must not fail the following ones.
 */
export function installTestRuntime(): void {
  ensureRuntime('ERROR')
}
