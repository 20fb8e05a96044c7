import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { describeIssue, describeProblem } from '#contract'
import { isWeakClientSecret, mustBeStrong } from '#platform/settings'
import { checkCrossReferences, type TopologyIssue } from './crossReferences.ts'
import { type Topology, topology } from './shape.ts'

const checkedTopology = topology.superRefine((declared, context) => {
  for (const { path, message } of checkCrossReferences(declared)) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
})

const productionTopology = checkedTopology.superRefine((declared, context) => {
  for (const { path, message } of checkSecrets(declared)) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
})

/**
 * Reads a topology file in YAML, of which JSON is a subset.
 * @throws Error that names the file and every invalid field; in production also every weak secret
 */
export function readTopology(path: string, { production = false }: { production?: boolean } = {}): Topology {
  const value = parseFile(path)
  const read = (production ? productionTopology : checkedTopology).safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.map(issue =>
    issue.path.length === 0 ? describeProblem(issue) : describeIssue(issue, value),
  )
  throw new Error(`${path}: ${faults.join('; ')}`)
}

function parseFile(path: string): object {
  const value = parseYaml(path)
  if (value instanceof Object && !Array.isArray(value)) return value
  throw new Error(`${path}: ${value == null ? 'is empty, and ' : ''}must have the lists tenants and pickUpPoints`)
}

function parseYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // Only the first line: an excerpt of the file follows, and the file contains secrets.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`${path}: cannot be read: ${reason}`)
  }
}

/** Checks the client secrets of a topology for production. The messages do not quote a secret. */
function checkSecrets({ tenants }: Topology): readonly TopologyIssue[] {
  return tenants.flatMap(({ clients }, tenant) =>
    clients.flatMap(({ clientSecret }, client): TopologyIssue[] =>
      isWeakClientSecret(clientSecret)
        ? [{ path: ['tenants', tenant, 'clients', client, 'clientSecret'], message: mustBeStrong }]
        : [],
    ),
  )
}
