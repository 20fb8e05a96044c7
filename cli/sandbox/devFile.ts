import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'

/** The folder in which `lockerflow dev` keeps its files, in the folder that it runs in. */
export const devFolder = '.lockerflow'

/** A running stack of `lockerflow dev`, as other verbs of the same folder find it. */
export interface DevStack {
  readonly pid: number
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly gatewayUrl: string
  readonly temporal: { readonly address: string; readonly namespace: string }
  /** Absent if TEMPORAL_ADDRESS named the server. */
  readonly uiUrl?: string
  /** The keys of histories; absent for keys of the environment, and without keys. */
  readonly codec?: { readonly keysFile: string; readonly encrypts: boolean }
  /** The variables that name the custom flows of its worker. */
  readonly ownFlows?: Readonly<Record<string, string>>
  /** For snapshots and the clock. The token keeps web pages and other users out. */
  readonly control: { readonly url: string; readonly token: string }
}

const fileIn = (folder: string) => join(folder, 'dev.json')
const clockIn = (folder: string) => join(folder, 'clock.json')

export async function writeDevFile(folder: string, stack: DevStack): Promise<void> {
  await writeFile(fileIn(folder), `${JSON.stringify(stack, undefined, 2)}\n`, { mode: 0o600 })
}

export async function removeDevFile(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true })
}

/** The stack that runs in this folder; undefined without one, or if its process has ended without removing the file. */
export function readDevFile(): DevStack | undefined {
  try {
    const stack: DevStack = JSON.parse(readFileSync(fileIn(devFolder), 'utf8'))
    kill(stack.pid, 0)
    return stack
  } catch {
    return undefined
  }
}

/** The distance of a stack's clock from that of the machine, in milliseconds; 0 without a file. */
export async function readAhead(folder: string): Promise<number> {
  try {
    const { ahead } = JSON.parse(await readFile(clockIn(folder), 'utf8'))
    return Number.isSafeInteger(ahead) ? ahead : 0
  } catch {
    return 0
  }
}

export async function writeAhead(folder: string, ahead: number): Promise<void> {
  await writeFile(clockIn(folder), JSON.stringify({ ahead }), { mode: 0o600 })
}
