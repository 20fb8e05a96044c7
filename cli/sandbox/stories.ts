import { createApi } from '#contract/client'
import { aborted } from '#platform/interruption'
import { isStaging, type Opening, startPlayer } from '#testing/story/arrivals'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { readDuration } from '../flow/duration.ts'
import { withFlows } from '../flow/session.ts'
import { noteOutages, readTarget } from './target.ts'

/** Plays the cases and users of a service in staging that have a story, until Ctrl-C. */
export async function run(call: VerbCall): Promise<void> {
  const { options, output, environment, signal } = call
  const dispatcher = String(options.dispatcher)
  const interval = readDuration('--interval', options.interval) ?? 0
  const target = readTarget(environment)
  const api = createApi(target)
  try {
    if (!(await isStaging(api)))
      throw misuse(`LOCKERFLOW_BASE_URL: must be a service in staging, but ${target.baseUrl} has no simulated lockers.`)
    const { isExisting } = await api.call('GetAccount', { userName: dispatcher })
    if (!isExisting)
      throw misuse(`--dispatcher: must be the user name of the tenant's dispatcher, got "${dispatcher}".`)
    await withFlows(call, async ({ flows }) => {
      const onOpening = (opening: Opening) => {
        const line = toLine(opening)
        output.item(line, () => describe(line))
      }
      const onBroken = noteOutages(output)
      const player = startPlayer({ api, flows, dispatcher, interval, onOpening, onBroken })
      output.note(`The stories of ${target.baseUrl} play. Ctrl-C ends them.`)
      await aborted(signal)
      await player.stop()
    })
  } finally {
    await api.close()
  }
}

function toLine({ action, shipment, refused }: Opening) {
  const { referenceCaseNo: caseNo, shipmentUid, pupUid, lockerName } = shipment
  return { at: new Date().toISOString(), caseNo, action, refused, shipmentUid, pupUid, lockerName }
}

function describe({ at, caseNo, action, refused, shipmentUid, pupUid, lockerName }: ReturnType<typeof toLine>): string {
  const result = refused === null ? '' : `: ${refused}`
  return `${at}  ${caseNo}  ${action.padEnd(8)} locker ${lockerName} of ${pupUid}, ${shipmentUid}${result}`
}
