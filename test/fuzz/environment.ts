import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Python, pythonWith } from '../support/setup/python.ts'

const requirements = join(import.meta.dirname, 'requirements.txt')

/** The command that starts Schemathesis: a Python and its variables. */
export interface Schemathesis {
  readonly python: Python
  readonly version: string
}

/**
 * Finds or creates an environment with Schemathesis and its dependencies, all pinned.
 * @throws Error without Python 3.10 or later, or if it has neither venv, virtualenv nor pip
 */
export async function findSchemathesis(cacheFolder: string, progress: (line: string) => void): Promise<Schemathesis> {
  const python = await pythonWith({ name: 'fuzz', requirements, cacheFolder, progress })
  const [, version = 'unknown'] = /^schemathesis==(.+)$/m.exec(await readFile(requirements, 'utf8')) ?? []
  return { python, version }
}
