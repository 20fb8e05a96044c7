import { toPrintable } from '#contract/terms'
import type { FlowShipment, LeftOver } from '#flows'
import type { CancelledAt, SimulatedStory } from './simulate.ts'
import type { TimeLineEntry } from './timeLine.ts'

/** A simulated story as text: its time line, and the sums that people look for. */
export function formatSimulation(run: SimulatedStory): string {
  const { timeLine, bookings, timers, notifications, answersWanted, leftOvers, status } = run
  const roles = toRoles(bookings)
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Time line', timeLine.flatMap(entry => formatEntry(entry, roles))],
    ['Bookings', bookings.map(formatBooking)],
    [
      'Timers',
      timers.map(({ summary, startedAt, until, state }) => {
        return `${toText(startedAt)}  ${summary}: ${state === 'running' ? 'runs' : state}, set for ${toText(until)}`
      }),
    ],
    [
      'Notifications',
      notifications.map(({ at, notification: { type, data } }) => {
        return `${toText(at)}  ${type}${data.stage === null ? '' : ` in ${data.stage}`}`
      }),
    ],
    [
      'Answers wanted',
      answersWanted.map(({ at, step, who, answers }) => {
        return `${toText(at)}  ${step}: ${who} answers ${Object.keys(answers).join(' or ')}`
      }),
    ],
    ['Cancelling would leave', leftOvers.map(cancelled => formatCancelled(cancelled, roles))],
    ['End', [formatEnd(run), ...run.leftOver.map(left => `left over: ${formatLeftOver(left, roles)}`)]],
  ]
  const title = `${status.flow}, case ${status.caseNo}`
  return [toPrintable(title), ...sections.map(([name, lines]) => formatSection(name, lines))].join('\n\n')
}

function formatSection(name: string, lines: readonly string[]): string {
  return [name, ...(lines.length === 0 ? ['(none)'] : lines).map(line => `  ${toPrintable(line)}`)].join('\n')
}

type Roles = ReadonlyMap<string, string>

/** The roles of each shipment. An item in stock has a second one from its issue on. */
function toRoles(bookings: readonly FlowShipment[]): Roles {
  const roles = new Map<string, string>()
  for (const { shipmentUid, role } of bookings) {
    const earlier = roles.get(shipmentUid)
    roles.set(shipmentUid, earlier === undefined ? role : `${earlier}/${role}`)
  }
  return roles
}

/** The lines of an entry. Search attributes repeat what other entries say. */
function formatEntry(entry: TimeLineEntry, roles: Roles): string[] {
  const text = describe(entry, roles)
  return text === undefined ? [] : [`${toText(entry.at)}  ${text}`]
}

function describe(entry: TimeLineEntry, roles: Roles): string | undefined {
  switch (entry.kind) {
    case 'storyEvent':
      return `story: ${JSON.stringify(entry.event)}`
    case 'signal': {
      const { shipmentUid, stateCode } = entry.argument
      return `callback: ${roles.get(shipmentUid) ?? shipmentUid} is ${stateCode}`
    }
    case 'updateAccepted':
      return `update ${entry.update}: accepted`
    case 'updateCompleted':
      return `update ${entry.update}: ${entry.code === undefined ? 'completed' : `failed with ${entry.code}`}`
    case 'refused':
      return `refused: ${entry.update}, ${entry.code}: ${entry.message}`
    case 'activityScheduled':
      return `activity ${entry.activity}: ${entry.summary}`
    case 'activityCompleted':
      return `activity ${entry.activity}: completed${toAttempts(entry.attempts)}`
    case 'activityFailed':
      return `activity ${entry.activity}: failed with ${entry.code}${toAttempts(entry.attempts)}`
    case 'activityTimedOut':
      return `activity ${entry.activity}: timed out${toAttempts(entry.attempts)}`
    case 'activityCancelRequested':
      return `activity ${entry.activity}: cancellation requested`
    case 'activityCanceled':
      return `activity ${entry.activity}: cancelled`
    case 'timerStarted':
      return `timer: ${entry.summary}, at ${toText(entry.at + entry.length)}`
    case 'timerFired':
      return `timer fired: ${entry.summary}`
    case 'timerCanceled':
      return `timer cancelled: ${entry.summary}`
    case 'childInitiated':
      return `workflow ${entry.workflow}: ${entry.summary}`
    case 'childStarted':
    case 'childCompleted':
    case 'attributes':
      return undefined
    case 'started':
      return 'started'
    case 'cancelRequested':
      return 'cancelled in the Web UI'
    case 'continuedAsNew':
      return 'continued as new'
    case 'completed':
      return `ended: ${entry.result.outcome}`
    case 'failed':
      return `failed with ${entry.code}: ${entry.message}`
  }
}

function toAttempts(attempts: number): string {
  return attempts === 1 ? '' : ` after ${attempts} attempts`
}

function formatBooking({ role, stateCode, pupUid, lockerName }: FlowShipment): string {
  return `${role}: ${stateCode}${lockerName === null ? '' : `, locker ${lockerName} at ${pupUid}`}`
}

function formatCancelled({ after, step, outcome, leftOver }: CancelledAt, roles: Roles): string {
  const left = leftOver.map(each => formatLeftOver(each, roles)).join('; ')
  const events = after === 1 ? '1 event' : `${after} events`
  return `after ${events}, in ${step ?? 'the booking'}: ${left || 'nothing'}${outcome === 'cancelled' ? '' : ` (${outcome ?? 'not ended'})`}`
}

function formatLeftOver({ step, shipmentUid, reason }: LeftOver, roles: Roles): string {
  const subject = shipmentUid === null ? step : (roles.get(shipmentUid) ?? shipmentUid)
  return `${subject}, ${reason}`
}

function formatEnd({ outcome, code, status }: SimulatedStory): string {
  if (outcome === 'failed') return `failed with ${code}`
  if (outcome !== undefined) return outcome
  const { step, overdue, deadline } = status
  return `waits in ${step ?? 'its booking'}${overdue ? ', overdue' : ''}${deadline === null ? '' : `, until ${deadline}`}`
}

/** @param moment milliseconds since 1970 */
function toText(moment: number): string {
  return new Date(moment).toISOString().replace('T', ' ').replace('.000Z', '').replace('Z', '')
}
