import type { Verb } from '../command/verb.ts'

const profile = { name: 'name', summary: 'The name of a profile' }

/** Verbs about this machine: its settings, its profiles and its shell. */
export const machineVerbs: readonly Verb[] = [
  {
    name: 'check',
    summary: 'Check all settings of all processes at once, without starting anything.',
    options: [
      {
        flags: '--process <name>',
        summary:
          'Only this process. By default service, gateway and worker, and codec if one of its own settings is set',
        multiple: true,
        values: ['service', 'gateway', 'worker', 'codec'],
      },
    ],
    example: 'lockerflow check',
    load: async () => (await import('../check/actions.ts')).check,
  },
  {
    name: 'doctor',
    summary: 'Check every part that the flows need, and print how to fix those that fail.',
    example: 'lockerflow doctor',
    load: async () => (await import('../doctor/actions.ts')).doctor,
  },
  {
    name: 'temporal',
    summary: "Run Temporal's own command, at the Temporal of the stack in this folder.",
    arguments: [
      { name: 'words', summary: "The words and options of Temporal's command", optional: true, variadic: true },
    ],
    example: 'lockerflow temporal workflow list',
    passThrough: true,
    load: () => import('../temporal.ts'),
  },
  {
    name: 'capabilities',
    summary: 'Find the capabilities of a service: book up to three lockers for a few seconds, and cancel them.',
    options: [{ flags: '--pick-up-point <uid>', summary: 'The pick up point of the bookings', required: true }],
    example: 'lockerflow capabilities --pick-up-point pup-1',
    load: async () => (await import('../capabilities/actions.ts')).capabilities,
  },
  {
    name: 'login',
    summary: 'Store addresses and credentials of a service as a profile. The secret is read from standard input.',
    arguments: [{ ...profile, summary: 'The name of the profile, by default "default"', optional: true }],
    options: [
      { flags: '--base-url <url>', summary: 'The address of the service' },
      { flags: '--auth-url <url>', summary: 'The address of the token endpoint, by default that of the service' },
      { flags: '--client-id <id>', summary: 'The API client' },
      { flags: '--temporal-address <address>', summary: 'The address of Temporal' },
      { flags: '--temporal-namespace <name>', summary: 'The namespace of Temporal' },
      { flags: '--offline', summary: 'Store the profile without signing in' },
    ],
    example: 'echo acme-secret | lockerflow login local --base-url http://127.0.0.1:8080 --client-id acme',
    noProfile: true,
    load: async () => (await import('../profiles/actions.ts')).login,
  },
  {
    name: 'profiles list',
    summary: 'List the profiles, without their secrets.',
    example: 'lockerflow profiles list',
    noProfile: true,
    load: async () => (await import('../profiles/actions.ts')).list,
  },
  {
    name: 'profiles use',
    summary: 'Use a profile in commands without --profile.',
    arguments: [profile],
    example: 'lockerflow profiles use local',
    noProfile: true,
    load: async () => (await import('../profiles/actions.ts')).use,
  },
  {
    name: 'profiles leave',
    summary: 'Stop using a profile in commands without --profile. The profiles stay.',
    example: 'lockerflow profiles leave',
    noProfile: true,
    load: async () => (await import('../profiles/actions.ts')).leave,
  },
  {
    name: 'profiles remove',
    summary: 'Remove a profile with its secret.',
    arguments: [profile],
    example: 'lockerflow profiles remove local',
    noProfile: true,
    load: async () => (await import('../profiles/actions.ts')).remove,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell. Load it in the startup file of the shell.',
    arguments: [{ name: 'shell', summary: 'bash, zsh or fish', values: ['bash', 'zsh', 'fish'] }],
    example: 'lockerflow completion bash',
    noProfile: true,
    load: async () => (await import('../completion/actions.ts')).completion,
  },
]

/** The verb that the completion of a shell calls, with the table that it completes. */
export function completeVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'complete',
    hidden: true,
    summary: 'Print the words that complete a command line. The completion of a shell calls it.',
    arguments: [{ name: 'words', summary: 'The words after lockerflow', optional: true, variadic: true }],
    example: 'lockerflow complete -- clients rot',
    noProfile: true,
    load: async () => (await import('../completion/actions.ts')).completeWith(verbs()),
  }
}
