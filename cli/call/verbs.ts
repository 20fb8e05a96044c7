import type { Verb } from '../command/verb.ts'

/** Raw calls of the service. */
export const callVerbs: readonly Verb[] = [
  {
    name: 'call',
    summary: 'Call an operation of the service, signed in. The request is checked before it is sent.',
    arguments: [
      { name: 'operation', summary: 'The name of the operation, such as GetShipments' },
      {
        name: 'fields',
        summary: 'Fields of the request, such as --PupUid pup-1 or --Dimension.width 30',
        optional: true,
        variadic: true,
      },
    ],
    options: [
      { flags: '--body <file>', summary: 'The request as JSON or YAML; - reads standard input' },
      { flags: '--data <file>', summary: 'The file of an upload' },
      { flags: '--idempotency-key <key>', summary: 'A repeated create with the same key returns the first response' },
      { flags: '--no-check', summary: 'Send the request although it does not match the contract' },
      { flags: '--print', summary: 'Print the call as curl commands, without the secret, and send nothing' },
    ],
    example: 'lockerflow call GetShipments --activeShipments --pageSize 5',
    fields: true,
    load: () => import('./run.ts'),
  },
]
