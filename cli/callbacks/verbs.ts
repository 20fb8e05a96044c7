import type { Verb, VerbOption } from '../command/verb.ts'

const ofShipment: VerbOption = { flags: '--shipment <uid>', summary: 'Only those of this shipment' }
const ofCase: VerbOption = { flags: '--case <caseNo>', summary: 'Only those of this case' }
const since: VerbOption = {
  flags: '--since <time>',
  summary: 'Only those since this time: an age such as 2h, or a time in ISO 8601',
}
const dead: VerbOption = { flags: '--dead', summary: 'Only those that the service has given up on, from the store' }
const ofTenant: VerbOption = { flags: '--tenant <name>', summary: 'Only those of this tenant, from the store' }
const ofMessage: VerbOption = { flags: '--message <id>', summary: 'Only the one with this webhook-id' }
const fromStore: VerbOption = {
  flags: '--store',
  summary: 'Read the store of the service, as LOCKERFLOW_DATABASE_URL names it, instead of asking the service',
}
const key: VerbOption = {
  flags: '--key <key>',
  summary: 'The key of the signatures; by default one that stays the same on this machine',
}

/** Callbacks for integrators, who ask the service, and for operators, who read its store. */
export const callbacksVerbs: readonly Verb[] = [
  {
    name: 'callbacks listen',
    summary: 'Print each callback of the tenant, and forward it to a local address.',
    arguments: [{ name: 'url', summary: 'The local address; without it, callbacks are only printed', optional: true }],
    options: [
      key,
      ofCase,
      {
        flags: '--public-url <url>',
        summary: 'Register this address, such as that of a tunnel, for the local receiver',
      },
    ],
    example: 'lockerflow callbacks listen http://127.0.0.1:3000/callbacks',
    load: () => import('./listen.ts'),
  },
  {
    name: 'callbacks list',
    summary: 'List the deliveries of callbacks with their responses, or the undelivered callbacks of a store.',
    options: [
      ofShipment,
      ofCase,
      since,
      { flags: '--failed', summary: 'Only deliveries that failed' },
      ofMessage,
      fromStore,
      dead,
      ofTenant,
    ],
    example: 'lockerflow callbacks list --since 1h',
    load: () => import('./list.ts'),
  },
  {
    name: 'callbacks resend',
    summary: 'Send one callback again, or the current state of all selected shipments.',
    arguments: [{ name: 'message', summary: 'The webhook-id of one callback', optional: true }],
    options: [ofShipment, ofCase, since, ofMessage, fromStore, dead, ofTenant],
    example: 'lockerflow callbacks resend --since 1h',
    load: () => import('./resend.ts'),
  },
  {
    name: 'callbacks replay',
    summary:
      'Send recent callbacks of the service to a local address again, signed with the key of `callbacks listen`.',
    arguments: [
      { name: 'url', summary: 'The local address' },
      { name: 'message', summary: 'The webhook-id of one callback', optional: true },
    ],
    options: [ofShipment, ofCase, since, key],
    example: 'lockerflow callbacks replay http://127.0.0.1:3000/callbacks --since 1h',
    load: () => import('./replay.ts'),
  },
  {
    name: 'callbacks verify',
    summary: 'Check the signature of a callback offline, and say why it is not valid.',
    arguments: [
      { name: 'headers', summary: 'A file with the headers of the request, as lines or as JSON' },
      { name: 'body', summary: 'A file with the body as it arrived; - reads standard input', optional: true },
    ],
    options: [
      {
        ...key,
        summary:
          'A key of the receiver, or several while keys are replaced; otherwise LOCKERFLOW_CALLBACK_KEY, or the key of callbacks listen',
        multiple: true,
      },
      { flags: '--at <time>', summary: 'Check the age too, as of this time, such as now' },
    ],
    example: 'lockerflow callbacks verify headers.txt body.json --key 0123456789abcdef',
    load: () => import('./verify.ts'),
  },
]
