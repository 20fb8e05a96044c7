// `npm run hardware:check`: checks an adapter of locker hardware over HTTP.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { signatureKey } from '#contract/settings'
import { readCheckKey } from '../environment.ts'
import { checkAdapter } from './checks.ts'

const usage = `usage: npm run hardware:check -- --url URL --pick-up-point PUP_UID --locker LOCKER_UID [--key KEY]
         [--locker-name NAME] [--events-port PORT [--events-host HOST]] [--only TEXT]
The door of that locker is opened about twenty times. The key is that of the adapter; without --key it is
LOCKERFLOW_HARDWARE_KEY. With --events-port the checks receive the events: the adapter sends them to
http://HOST:PORT/hardware/events meanwhile, and not to the service. --only runs the checks whose names contain the text.`

const options = z.object({
  url: z.url({ protocol: /^https?$/, error: '--url must be an http or https address' }),
  key: z.string('--key must be set, or LOCKERFLOW_HARDWARE_KEY').pipe(signatureKey),
  'pick-up-point': z.string('--pick-up-point must be set').min(1).max(64),
  locker: z.string('--locker must be set').min(1).max(64),
  'locker-name': z.string().min(1).max(100).optional(),
  'events-port': z.coerce.number().int().min(0).max(65_535, '--events-port must be a port').optional(),
  'events-host': z.string().default('127.0.0.1'),
  only: z.string().optional(),
})

try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      url: text,
      key: text,
      'pick-up-point': text,
      locker: text,
      'locker-name': text,
      'events-port': text,
      'events-host': text,
      only: text,
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const read = options.safeParse({ key: readCheckKey(), ...values })
  if (!read.success) throw new Error(`${read.error.issues.map(({ message }) => message).join('. ')}.`)
  const given = read.data
  const { 'events-port': port, 'events-host': host } = given
  const results = await checkAdapter(
    {
      url: given.url,
      key: given.key,
      door: {
        pupUid: given['pick-up-point'],
        lockerUid: given.locker,
        lockerName: given['locker-name'] ?? given.locker,
      },
      events: port === undefined ? undefined : { host, port },
      only: given.only,
    },
    ({ name, outcome, reason }) => console.log(`${outcome}: ${name}${reason === undefined ? '' : `: ${reason}`}`),
  )
  const count = (outcome: string) => results.filter(result => result.outcome === outcome).length
  const leftOut = count('left out') > 0 ? `, ${count('left out')} left out without --events-port` : ''
  console.log(`${count('passed')} passed, ${count('failed')} failed${leftOut}`)
  process.exitCode = count('failed') > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error(usage)
  process.exitCode = 2
}
