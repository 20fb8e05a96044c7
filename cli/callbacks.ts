import { argv } from 'node:process'
import { openUndelivered, readDatabaseUrl, type UndeliveredCallbacks } from '#service'
import { type CallbacksArguments, readArguments } from './callbacks/arguments.ts'
import { formatCallbacks } from './callbacks/report.ts'
import { environmentWith } from './environment.ts'

/** Callbacks of one list. */
const limit = 1_000

try {
  const request = readArguments(argv.slice(2))
  const callbacks = await openUndelivered(readDatabaseUrl(environmentWith()))
  try {
    console.log(await run(callbacks, request))
  } finally {
    await callbacks.close()
  }
} catch (error) {
  console.error(`callbacks: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function run(callbacks: UndeliveredCallbacks, { action, filter, json }: CallbacksArguments): Promise<string> {
  if (action === 'resend') {
    const resent = await callbacks.resend(filter)
    return json ? JSON.stringify({ resent }) : `${resent} ${resent === 1 ? 'callback is' : 'callbacks are'} due.`
  }
  const found = await callbacks.list(filter, limit)
  const dead = await callbacks.countDead()
  return json
    ? JSON.stringify({ callbacks: found, dead, complete: found.length < limit }, undefined, 2)
    : formatCallbacks(found, dead, limit).join('\n')
}
