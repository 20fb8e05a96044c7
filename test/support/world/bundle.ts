import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { bundleFlows } from '#worker'

let made: ReturnType<typeof bundleFlows> | undefined
let written: Promise<string> | undefined

/** The bundle of the flows, built once per test process. */
export function bundle(): ReturnType<typeof bundleFlows> {
  made ??= bundleFlows()
  return made
}

/** The path of a file with the bundle, for workers in separate processes. */
export function bundleFile(): Promise<string> {
  written ??= writeBundle()
  return written
}

async function writeBundle(): Promise<string> {
  const file = join(await mkdtemp(join(inject('runFolder'), 'bundle-')), 'workflows.js')
  await writeFile(file, (await bundle()).code)
  return file
}
