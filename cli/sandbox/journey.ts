import { createApi } from '#contract/client'
import type { Opening } from '#testing/story'
import type { Shipment } from '#testing/story/arrivals'
import { CommandFailure, exitCodes, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { noteWait } from '../command/waiting.ts'
import { listShipments, openingOf, openLocker, waitFor } from './shipments.ts'
import { readTimeout } from './simulate.ts'
import { readTarget } from './target.ts'

/** Maximum number of openings of one journey: a journey that never ends has a mistake. */
const maxOpenings = 100

/**
 * Plays the story of a file, or the natural story of a case. In the latter each person comes as soon as a locker is ready.
 * It ends when no locker has been ready for `--settle`. A shipment without a receiver, such as stock, stays in its locker. A
 * booking that is kept is opened once.
 */
export async function run(call: VerbCall): Promise<void> {
  const { values, options, output, environment } = call
  const [caseNo = ''] = values
  if (typeof options.story === 'string') {
    for (const name of ['wait', 'settle'])
      if (options[name] !== undefined) throw misuse(`--${name}: must not be combined with --story.`)
    // Temporal's SDK and the worker take a second to load.
    const { playStory } = await import('./story.ts')
    return playStory(call, options.story)
  }
  if (options.only !== undefined) throw misuse('--only: must be combined with --story.')
  const settle = readTimeout('--settle', options.settle ?? '3s')
  const wait = readTimeout('--wait', options.wait ?? '20s')
  const api = createApi(readTarget(environment))
  const done = new Set<string>()
  const keyOf = ({ shipmentUid, stateCode }: Shipment) => `${shipmentUid} ${stateCode}`
  const find = (shipments: readonly Shipment[]) =>
    shipments.find(shipment => hasPerson(shipment) && !done.has(keyOf(shipment)))
  try {
    for (let opened = 0; ; opened++) {
      const timeout = opened === 0 ? wait : settle
      const { found, shipments } = await noteWait(
        output,
        `journey: waits up to ${timeout / 1_000} s until ${opened === 0 ? 'a' : 'another'} locker of ${caseNo} is ready`,
        waitFor(() => listShipments(api, caseNo), find, timeout),
      )
      if (found === undefined) {
        if (opened === 0) throw nothingToDo(caseNo, shipments)
        const states = shipments.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
        return output.item({ ended: caseNo, openings: opened, shipments: states }, () => [
          `${caseNo} after ${opened} ${opened === 1 ? 'opening' : 'openings'}:`,
          ...states.map(row => `  ${row.shipmentUid} ${row.stateCode}`),
        ])
      }
      if (opened >= maxOpenings)
        throw invalidState(
          `${caseNo} did not end within ${maxOpenings} openings.`,
          'Read the status of its flow: lockerflow flow status.',
        )
      const action = openingOf(found) as Opening
      done.add(keyOf(found))
      const { stateCode: after } = await openLocker(api, found, action)
      const { shipmentUid, lockerName, pupUid, stateCode: before } = found
      output.item(
        { action, shipmentUid, pupUid, lockerName, before, after },
        () => `${action.padEnd(8)} locker ${lockerName} of ${pupUid}: ${shipmentUid} ${before} -> ${after}`,
      )
    }
  } finally {
    await api.close()
  }
}

function hasPerson(shipment: Shipment): boolean {
  const opening = openingOf(shipment)
  return opening === 'dropOff' || (opening === 'pickUp' && shipment.toUserUid !== null)
}

function nothingToDo(caseNo: string, shipments: readonly Shipment[]): CommandFailure {
  const states = shipments.map(({ stateCode }) => stateCode).join(', ') || 'no shipments'
  return invalidState(
    `No locker of ${caseNo} is ready: it has ${states}.`,
    'Start the flow first, or wait longer with --wait.',
  )
}

function invalidState(message: string, remedy: string): CommandFailure {
  return new CommandFailure('InvalidShipmentState', message, { exitCode: exitCodes.failed, remedy })
}
