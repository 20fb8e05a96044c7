import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import {
  checkWebhookSignature,
  defaultUidSignatureScheme,
  isValidUidSignature,
  isWebhookKey,
  mustBeWebhookKey,
  timestampTolerance,
  webhookHeaders,
} from '#contract'
import { notificationTypes } from '#flows'
import { entriesOf, readSecret, SettingsError } from '#platform/settings'
import { CommandFailure, exitCodes, misuse } from '../command/failure.ts'
import { readMoment, requireFile } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'
import { localKeyFile, readLocalKey } from './localKey.ts'
import { readMessage } from './localReceiver.ts'
import { text } from './selection.ts'

type Headers = Readonly<Record<string, string>>

/** The reason for each result, for a developer who debugs a receiver. */
const advice = {
  'missing header': `The request must have ${Object.values(webhookHeaders).join(', ')}. A proxy may have removed them.`,
  'malformed timestamp': 'webhook-timestamp must be the seconds since 1970.',
  'timestamp too old': `Receivers reject it: it is older than ${timestampTolerance / 60} minutes.`,
  'timestamp in the future': 'The clock of the receiver is behind, or that of the service is ahead.',
  'signature does not match':
    'The key is wrong, or the body differs from the one that was sent: a framework must not parse the body before the check.',
  'body is not a callback': 'The signature is right, and the body is neither a callback nor a notification of a flow.',
} as const

/**
 * Checks the signature of a callback, or of a notification of a flow, from a file with its headers and one with its body,
 * without any connection. The age counts from `--at`; by default it is not checked.
 */
export async function run({ values, options, environment, output }: VerbCall): Promise<void> {
  const [headersFile = '', bodyFile = '-'] = values
  const headers = readHeaders(await read('headers', headersFile))
  const body = await read('body', bodyFile)
  const { keys, keyFrom } = await readKeys(options.key, environment)
  const sentAt = Number(headers[webhookHeaders.timestamp])
  const now = readAt(text(options.at)) ?? (Number.isFinite(sentAt) ? sentAt : 0)
  const fault = checkWebhookSignature(keys, headers, body, now)
  const message = readMessage(body)
  const isKnown = message !== undefined || isNotification(body)
  const reason = fault ?? (isKnown ? undefined : 'body is not a callback')
  const { header } = defaultUidSignatureScheme
  const uid = message && headers[header] && isValidUidSignature(keys, message.shipmentUid, headers[header])
  const result = {
    valid: reason === undefined,
    reason: reason ?? null,
    keyFrom,
    messageId: headers[webhookHeaders.id] ?? null,
    sentAt: Number.isFinite(sentAt) ? new Date(sentAt * 1_000).toISOString() : null,
    uidSignature: uid === undefined || uid === '' ? null : uid,
    message: message ?? null,
  }
  output.result(result, () => [
    // The error has the reason.
    reason === undefined ? 'The signature is valid.' : 'Not valid.',
    `Checked with the key from ${keyFrom}.`,
    ...(result.sentAt === null ? [] : [`Sent at ${result.sentAt} as ${result.messageId}.`]),
    ...(result.uidSignature === null ? [] : [`${header} is ${result.uidSignature ? 'valid' : 'not valid'}.`]),
  ])
  if (reason !== undefined) {
    const { failed: exitCode } = exitCodes
    throw new CommandFailure('InvalidSignature', `The callback is not valid: ${reason}.`, {
      exitCode,
      remedy: advice[reason],
    })
  }
}

/** Notifications of flows have the same signature. */
function isNotification(body: string): boolean {
  try {
    const { type } = Object(JSON.parse(body)) as { readonly type?: unknown }
    return notificationTypes.some(known => known === type)
  } catch {
    return false
  }
}

/** The given keys, or that of the gateway, or that which signs callbacks to this machine; with the place that has it. */
async function readKeys(option: VerbCall['options'][string], environment: NodeJS.ProcessEnv) {
  const keys = [option]
    .flat()
    .map(text)
    .filter(key => key !== undefined)
  if (keys.includes('')) throw misuse('--key: must not be empty.')
  if (!keys.every(isWebhookKey)) throw misuse(`--key: ${mustBeWebhookKey}.`)
  if (keys.length > 0) return { keys, keyFrom: '--key' }
  const gatewayKeys = readGatewayKeys(environment)
  if (gatewayKeys.length > 0) return { keys: gatewayKeys, keyFrom: 'LOCKERFLOW_CALLBACK_KEY' }
  return { keys: [await readLocalKey(environment)], keyFrom: localKeyFile(environment) }
}

/** The keys of the gateway, if a variable or its file has them. @throws SettingsError */
function readGatewayKeys(environment: NodeJS.ProcessEnv): readonly string[] {
  const read = readSecret(environment, 'LOCKERFLOW_CALLBACK_KEY')
  const name = 'LOCKERFLOW_CALLBACK_KEY'
  if ('wrong' in read) throw new SettingsError({ name, ...read })
  const keys = entriesOf(read.text ?? '')
  if (!keys.every(isWebhookKey)) throw new SettingsError({ name, wrong: mustBeWebhookKey })
  return keys
}

/** Lines of `name: value` as in a capture of the request, or JSON. Names are in lower case. */
function readHeaders(content: string): Headers {
  // A byte order mark of a file from Windows counts as space.
  const trimmed = content.trimStart()
  const pairs = trimmed.startsWith('{')
    ? Object.entries(parseObject(trimmed))
    : trimmed
        .split(/\r?\n/)
        .map(line => /^[<>]?\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line))
        .flatMap(match => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const]))
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function parseObject(content: string): Record<string, unknown> {
  try {
    return JSON.parse(content)
  } catch {
    throw misuse('headers: must be lines of name: value, or a JSON object.')
  }
}

async function read(argument: string, file: string): Promise<string> {
  if (file === '-') return readStream(process.stdin)
  await requireFile(argument, file)
  return readFile(file, 'utf8')
}

/** @returns seconds since 1970 */
function readAt(at: string | undefined): number | undefined {
  const now = Date.now()
  const moment = at === 'now' ? now : readMoment('--at', at, now)
  return moment === undefined ? undefined : Math.floor(moment / 1_000)
}
