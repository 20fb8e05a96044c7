import { argv } from 'node:process'
import { readVariables } from '#contract/settings'
import { openUndelivered, serviceVariables, type UndeliveredCallbacks } from '#service'
import { type CallbacksArguments, readArguments } from './callbacks/arguments.ts'
import { formatCallbacks } from './callbacks/report.ts'
import { environmentWith } from './environment.ts'

/** Callbacks of one list. */
const limit = 1_000

try {
  const request = readArguments(argv.slice(2))
  const { LOCKERFLOW_DATABASE_URL } = serviceVariables
  const callbacks = await openUndelivered(
    readVariables(environmentWith(), { LOCKERFLOW_DATABASE_URL }).LOCKERFLOW_DATABASE_URL,
  )
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
