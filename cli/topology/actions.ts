import { isProduction } from '#platform/settings'
import { openTopologyRegistry, readDatabaseUrl, readTopology, type Topology, type TopologyChange } from '#service'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import { isGiven, requireFile } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'

const entries = {
  tenant: 'tenant',
  client: 'client',
  pickUpPoint: 'pick up point',
  locker: 'locker',
  access: 'access to',
} as const satisfies Record<TopologyChange['entry'], string>

const order = ['added', 'revived', 'changed', 'retired', 'removed', 'refused', 'kept'] as const

/** Shows what a file would change in the store, or changes it directly. Running services follow at once. */
export async function run(call: VerbCall): Promise<void> {
  const [file = ''] = call.values
  const retire = isGiven(call, 'retire')
  const act = isGiven(call, 'apply') ? 'apply' : 'preview'
  await requireFile('file', file)
  const topology = readFile(file, isProduction(call.environment))
  const registry = await openTopologyRegistry(readDatabaseUrl(call.environment))
  try {
    const changes = await registry[act](topology, { retire })
    call.output.result(changes, () => formatChanges(changes, { act, retire }))
  } finally {
    await registry.close()
  }
}

function readFile(file: string, production: boolean): Topology {
  try {
    return readTopology(file, { production })
  } catch (error) {
    const message = `file: ${error instanceof Error ? error.message : String(error)}.`
    const remedy = `Correct it, then look again: lockerflow topology ${file}.`
    throw new CommandFailure('InvalidArguments', message, { exitCode: exitCodes.misused, remedy })
  }
}

/** Describes the changes of a topology, one line each, and at the end how many there are of each kind. */
export function formatChanges(
  changes: readonly TopologyChange[],
  { act, retire }: { readonly act: 'preview' | 'apply'; readonly retire: boolean },
): string[] {
  const sorted = changes.toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change))
  const counts = order.flatMap(kind => {
    const count = changes.filter(({ change }) => change === kind).length
    return count > 0 ? [`${count} ${kind}`] : []
  })
  const total = counts.length > 0 ? counts.join(', ') : 'no changes'
  return [
    ...sorted.map(toLine),
    act === 'preview' ? `preview: ${total}; --apply does it` : total,
    ...hints(changes, retire),
  ]
}

function toLine({ change, entry, id, detail }: TopologyChange): string {
  const removal = change === 'refused' ? 'removal of ' : ''
  return `${change.padEnd(8)} ${removal}${entries[entry]} ${id}${detail === undefined ? '' : `: ${detail}`}`
}

function hints(changes: readonly TopologyChange[], retire: boolean): string[] {
  const has = (kind: TopologyChange['change']) => changes.some(({ change }) => change === kind)
  return [
    ...(has('refused') ? ['refused: in use. It takes no new bookings, and is removed once it is unused.'] : []),
    ...(has('kept') && !retire ? ['kept: not in the file. --retire retires it, except tenants and clients.'] : []),
    ...(has('kept') && retire ? ['kept: lockerflow clients removes tenants and clients.'] : []),
  ]
}
