import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { describeIssue } from '#contract'
import { type Topology, topology } from './shape.ts'

/**
 * Reads a topology file, YAML or JSON (which YAML contains).
 * @throws Error whose message names the file and every offending field
 */
export function readTopology(path: string): Topology {
  const value = parsed(path)
  const read = topology.safeParse(value)
  if (read.success) return read.data
  throw new Error(`${path}: ${read.error.issues.map(issue => describeIssue(issue, value)).join('; ')}`)
}

function parsed(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The parser's message goes on with an excerpt of the file, and the file holds secrets.
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`${path}: cannot be read: ${why}`)
  }
}
