import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { requestToken } from '../dispatcher.ts'
import { pathOf, requests } from '../operations.ts'
import { expectSuccess, type Scene } from '../scene.ts'

/** Requests of one tenant that slow down the others, until the signal aborts. */
type Attack = (scene: Scene, signal: AbortSignal) => Promise<void>

export interface Load {
  /** True for a service whose resolver answers no question. */
  readonly withoutNames?: true
  /** Runs before the measurement, such as the upload that searches need. */
  readonly prepare?: (scene: Scene) => Promise<void>
  readonly attack: Attack
}

const megabyte = 1_024 * 1_024
const boundary = 'attack-boundary'
const uploadHeaders = { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
const columns = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint'

function uploadBody(data: string, rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => `a${row}@mail.example;;;Name${row};Person;word${row % 97};`)
  const file = [columns, ...lines].join('\r\n')
  return Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\n\r\n${data}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--${boundary}--\r\n`,
  )
}

/** A cancellation beyond the rate limit is repeated: bookings that remain would fill the lockers, and no callback would follow. */
async function bookAndCancel({ attacker, own }: Scene): Promise<void> {
  const booked = await attacker.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(own))
  if (!booked.json.success) return
  const [shipmentUid] = booked.json.shipmentUids as string[]
  while (!(await attacker.call('CancelShipment', { shipmentUid })).json.success) await delay(50)
}

/** Callbacks pile up for a receiver that accepts connections and never responds. */
const absentReceiver: Attack = async (scene, signal) => {
  const receiver = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const registration = { url, authType: 'HMAC', authKey: 'k'.repeat(32) }
  expectSuccess(await scene.attacker.call('ConfigureCallback', registration))
  try {
    await repeatUntil(signal, 4, async () => {
      await bookAndCancel(scene)
      await scene.attacker.call('ConfigureCallback', registration)
    })
  } finally {
    receiver.close().closeAllConnections()
  }
}

const longLists: Attack = async ({ attacker }, signal) => {
  const body = JSON.stringify({ shipmentState: Array.from({ length: 20_000 }, (_, index) => index) })
  await repeatUntil(signal, 30, () => attacker.post(pathOf('GetShipments'), body))
}

/** Adds as many objects to a shipment as it may have. */
async function addObjects({ attacker, own }: Scene): Promise<void> {
  const details = { referenceNo: 'r'.repeat(100), description: 'd'.repeat(1_000) }
  let added = true
  for (let count = 0; added && count < 20_000; count++) {
    const response = await attacker.call('AddShipmentObject', { shipmentUid: own.shipment, details })
    added = response.json.success === true
  }
}

const largePages: Attack = ({ attacker }, signal) =>
  repeatUntil(signal, 20, () => attacker.call('GetShipments', { activeShipments: true, pageSize: 500 }))

const largeData: Attack = async ({ attacker }, signal) => {
  const body = uploadBody(`{"reference":"${'a'.repeat(9 * megabyte)}"}`, 1)
  await repeatUntil(signal, 4, () =>
    attacker.post(pathOf('UploadAccountSuggestions'), body, uploadHeaders).catch(() => 0),
  )
}

const manyUploads: Attack = async ({ attacker }, signal) => {
  const body = uploadBody('{}', 100_000)
  await repeatUntil(signal, 8, () =>
    attacker.post(pathOf('UploadAccountSuggestions'), body, uploadHeaders).catch(() => 0),
  )
}

/** All suggestions have words that begin like these. Searches of more than eight words are refused. */
const commonWords = 'a mail name person w wo wor word'

async function uploadSuggestions({ attacker }: Scene): Promise<void> {
  expectSuccess(await attacker.post(pathOf('UploadAccountSuggestions'), uploadBody('{}', 100_000), uploadHeaders))
  expectSuccess(await attacker.call('GetAccountSuggestions', { searchText: commonWords }))
}

const longSearches: Attack = ({ attacker }, signal) =>
  repeatUntil(signal, 8, async () => {
    await attacker.call('GetAccountSuggestions', { searchText: commonWords })
    await attacker.call('GetAccountSuggestions', { searchText: commonWords.replaceAll(' ', ' a ').repeat(8) })
  })

const guessedSecrets: Attack = async ({ target }, signal) => {
  let guesses = 0
  await repeatUntil(signal, 20, () =>
    requestToken(target, { client_id: `made-up-${guesses++ % 20_000}`, client_secret: 'guess' }),
  )
}

const largeBodies: Attack = async ({ attacker }, signal) => {
  const body = `{"a":"${'a'.repeat(20 * megabyte)}"}`
  await repeatUntil(signal, 4, () => attacker.post(pathOf('GetShipments'), body).catch(() => 0))
}

/** Requests per second of an API client, as in production. More than these never reach an operation. */
export const rateLimit = 200

/** Each registration waits for the addresses of another host. */
const unresolvedNames: Attack = async ({ attacker }, signal) => {
  let names = 0
  await repeatUntil(signal, 20, () =>
    attacker.call('ConfigureCallback', { url: `http://host-${names++}.attack.example/`, authType: 'None' }),
  )
}

/** Many keys, since a parser needs longer for them than for one long text. */
const forgery = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])))

const forgedCallbacks: Attack = async ({ target }, signal) => {
  await repeatUntil(signal, 8, () => {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
    }
    return fetch(target.callbacks ?? '', { method: 'POST', headers, body: forgery }).catch(() => 0)
  })
}

let turns = 0

/** How often this process has begun the work of its load. */
export function countTurns(): number {
  return turns
}

/** Repeats `work` in `concurrency` loops until the signal aborts, as often as the rate limit allows. */
async function repeatUntil(signal: AbortSignal, concurrency: number, work: () => Promise<unknown>): Promise<void> {
  let next = performance.now()
  async function loop(): Promise<void> {
    while (!signal.aborted) {
      next = Math.max(next + 1_000 / rateLimit, performance.now())
      await delay(Math.max(0, next - performance.now()))
      turns++
      await work()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
}

/** The attacks of one tenant on the service, by what they use up. */
export const serviceLoads: Readonly<Record<string, Load>> = {
  'callbacks for a receiver that never responds': { attack: absentReceiver },
  'lists of 20,000 states': { attack: longLists },
  'a shipment with as many objects as it may have': { prepare: addObjects, attack: largePages },
  'a data part of nine megabytes': { attack: largeData },
  'uploads of 100,000 rows, eight at once': { attack: manyUploads },
  'searches of common words over 100,000 suggestions': { prepare: uploadSuggestions, attack: longSearches },
  'wrong secrets of 20,000 made-up clients': { attack: guessedSecrets },
  'bodies of twenty megabytes': { attack: largeBodies },
  'callbacks to hosts that no resolver knows': { withoutNames: true, attack: unresolvedNames },
}

/** The attacks on a gateway, which anyone in its network can make. */
export const gatewayLoads: Readonly<Record<string, Load>> = {
  'forged callbacks of 50,000 keys': { attack: forgedCallbacks },
}
