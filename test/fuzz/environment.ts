import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Python, pythonWith } from '../setup/python.ts'

const requirements = join(import.meta.dirname, 'requirements.txt')

/** How Schemathesis is started: a Python, and what it has to be told. */
export interface Schemathesis {
  readonly python: Python
  readonly version: string
}

/**
 * Finds or makes an environment with Schemathesis and all that it needs, each pinned to one version.
 * @throws Error when there is no Python of at least 3.10, or it has neither venv, virtualenv nor pip
 */
export async function findSchemathesis(cacheFolder: string, progress: (line: string) => void): Promise<Schemathesis> {
  const python = await pythonWith({ name: 'fuzz', requirements, cacheFolder, progress })
  const [, version = 'unknown'] = /^schemathesis==(.+)$/m.exec(await readFile(requirements, 'utf8')) ?? []
  return { python, version }
}
