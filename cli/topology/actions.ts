import { isProduction } from '#contract/settings'
import { openTopologyRegistry, readDatabaseUrl, readTopology } from '#service'
import { isGiven } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import { formatChanges } from './report.ts'

/** The action of `topology <act>`. It changes the store directly. Running services follow at once. */
export function topologyAction(act: 'preview' | 'apply'): VerbAction {
  return {
    async run(call) {
      const [file = ''] = call.values
      const retire = isGiven(call, 'retire')
      const topology = readTopology(file, { production: isProduction(call.environment) })
      const registry = await openTopologyRegistry(readDatabaseUrl(call.environment))
      try {
        const changes = await registry[act](topology, { retire })
        call.output.result(changes, () => formatChanges(changes, { act, retire }))
      } finally {
        await registry.close()
      }
    },
  }
}
