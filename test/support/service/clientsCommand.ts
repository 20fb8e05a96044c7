import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../childEnvironment.ts'

export interface Ran {
  readonly code: number
  readonly output: string
  readonly complaint: string
}

/** Runs `npm run lockerflow -- clients` on a store, as a process of its own. */
export function runClients(databaseUrl: string, ...args: string[]): Promise<Ran> {
  return runCommand('clients', databaseUrl, ...args)
}

/** Runs a verb of the command on a store, as a process of its own. */
export async function runCommand(name: string, databaseUrl: string, ...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, ['cli/lockerflow.ts', name, ...args], {
    env: { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, output, complaint }
}
