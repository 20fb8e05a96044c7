import { connect } from 'node:net'
import { type RecentCallback, webhookSecret } from '#contract'
import { createApi } from '#contract/client'
import { isLoopbackHost } from '#platform/addresses'
import { aborted } from '#platform/interruption'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { noteOutages, readTarget } from '../sandbox/target.ts'
import { createTrafficClient } from '../sandbox/trafficClient.ts'
import { attach } from './attach.ts'
import { readLocalKey } from './localKey.ts'
import { type LocalAnswer, requireLocalUrl } from './localReceiver.ts'
import { receive, receiverPath } from './receive.ts'
import { describeCallback } from './report.ts'
import { text } from './selection.ts'

/** Prints each callback of the tenant, and forwards it to a local address, until Ctrl-C. */
export async function run({ values: [to], options, output, environment, signal }: VerbCall): Promise<void> {
  const target = readTarget(environment)
  const client = createTrafficClient(target)
  const url = to === undefined ? undefined : requireLocalUrl('url', to)
  const key = await readLocalKey(environment, text(options.key))
  const caseNo = text(options.case)
  const publicUrl = text(options.publicUrl)
  const address = await client.address()
  const isOwn = address === null || publicUrl !== undefined || (await isLeftBehind(address))

  const begin = (how: string) => {
    output.note(`${how}${url === undefined ? '' : `, forwarded to ${url}`}. Ctrl-C ends it.`)
    output.note(`The key of the signatures is ${key} (for Standard Webhooks libraries ${webhookSecret(key)}).`)
  }
  const print = (callback: RecentCallback, answer: LocalAnswer | undefined) => {
    const { body, ...fields } = callback
    output.item({ ...fields, forwarded: answer ?? null, callback: JSON.parse(body) }, () =>
      describeCallback(callback, answer, output),
    )
  }
  const isSelected = (callback: RecentCallback) => caseNo === undefined || callback.caseNo === caseNo

  if (!isOwn) {
    const onAttached = () => begin(`Callbacks go to ${address}, and are listed here`)
    const onBroken = noteOutages(output)
    return attach({ client, to: url, key, signal, isSelected, onAttached, onBroken, onCallback: print })
  }
  if (publicUrl === undefined) requireNear(target.baseUrl)
  const api = createApi(target)
  try {
    const onCallback = (callback: RecentCallback, answer?: LocalAnswer) => {
      if (isSelected(callback)) print(callback, answer)
    }
    const remove = await receive({ api, key, to: url, publicUrl, onCallback })
    begin('Callbacks are received here, since the tenant had no address')
    await aborted(signal)
    await remove()
  } finally {
    await api.close()
  }
}

/** True for the address of an earlier listener that ended without removing it. */
async function isLeftBehind(address: string): Promise<boolean> {
  const { hostname, port, pathname } = new URL(address)
  if (pathname !== receiverPath || !isLoopbackHost(hostname)) return false
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(!socket.destroy()))
    socket.once('error', () => resolve(true))
  })
}

function requireNear(baseUrl: string): void {
  if (isLoopbackHost(new URL(baseUrl).hostname)) return
  throw new CommandFailure(
    'InvalidArguments',
    `--public-url: must be set, since ${baseUrl} does not reach this machine.`,
    {
      exitCode: exitCodes.misused,
      remedy: 'Use the address of a tunnel to this machine, or register an address with ConfigureCallback first.',
    },
  )
}
