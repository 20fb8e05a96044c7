import type { FlowShipment, LeftOver } from '#client'
import { describeMoment } from '#flows/pictureOfRun'

/** Control characters could move the cursor of a terminal or hide text. */
const controls = /[\p{Cc}\p{Cf}]/gu

/** Makes text from outside safe for a terminal: one line, without control characters. */
export function plain(text: unknown): string {
  return String(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(controls, '')
}

/** A moment in UTC, to the second. */
export function moment(at: string | null): string {
  return at === null ? '' : describeMoment(Date.parse(at))
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** The distance of a moment from now: `in 3 h`, `2 d ago`. */
export function distance(at: string, now: number): string {
  const difference = Date.parse(at) - now
  const [unit, length] = units.find(([, size]) => Math.abs(difference) >= size) ?? ['s', 1_000]
  const count = Math.round(Math.abs(difference) / length)
  return difference < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`
}

/** One line: role, state, locker and uid. */
export function formatShipment({
  role,
  stateCode,
  lockerName,
  pupUid,
  shipmentUid,
  lockerOutOfService,
}: FlowShipment): string {
  const locker = lockerName === null ? 'no locker' : `locker ${plain(lockerName)}`
  const place = pupUid === null ? locker : `${locker} at ${plain(pupUid)}`
  const broken = lockerOutOfService ? ' (out of service)' : ''
  return `${plain(role)}  ${plain(stateCode)}  ${place}${broken}  ${plain(shipmentUid)}`
}

/** The locker that a person has to look into, or the shipment or step without a known one, and the reason. */
export function leftOverLine({ step, shipmentUid, pupUid, lockerName, reason }: LeftOver): string {
  const locker = lockerName && `locker ${lockerName}${pupUid ? ` at ${pupUid}` : ''}`
  return plain(`${locker ?? shipmentUid ?? step}: ${reason}`)
}

/** Pads the columns of a table, and cuts no text. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
