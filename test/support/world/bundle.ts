import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { bundleFlows } from '#worker'
import { eventually } from '../eventually.ts'

/** Milliseconds that a process waits for another one to build the bundle, on a machine with much other work. */
const buildTime = 300_000

let read: Promise<{ readonly code: string }> | undefined

/** The bundle of the flows, built once per run. */
export function bundle(): Promise<{ readonly code: string }> {
  // The recording of histories runs without vitest.
  read ??= process.env.VITEST === undefined ? bundleFlows() : readBundle()
  return read
}

async function readBundle(): Promise<{ readonly code: string }> {
  return { code: await readFile(await bundleFile(), 'utf8') }
}

/** The path of a file with the bundle, for workers in separate processes. The first process of a run builds it. */
export async function bundleFile(): Promise<string> {
  const folder = join(inject('runFolder'), 'bundle')
  const file = join(folder, 'workflows.js')
  try {
    await mkdir(folder)
  } catch {
    await eventually(() => existsSync(file), buildTime)
    return file
  }
  const { code } = await bundleFlows()
  await writeFile(`${file}.part`, code)
  await rename(`${file}.part`, file)
  return file
}
