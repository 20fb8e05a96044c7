import type { Verb } from '../command/verb.ts'

/** From the embedded store to PostgreSQL. */
export const copyVerbs: readonly Verb[] = [
  {
    name: 'copy',
    summary: 'Copy the embedded store to an empty PostgreSQL database.',
    arguments: [
      { name: 'from', summary: 'The file: URL of the embedded store' },
      {
        name: 'to',
        summary:
          'The postgres:// URL of an empty database, by default LOCKERFLOW_DATABASE_URL or the file that LOCKERFLOW_DATABASE_URL_FILE names',
        optional: true,
      },
    ],
    example: 'lockerflow copy file:.lockerflow/service.db postgres://lockerflow@127.0.0.1:5432/lockerflow',
    load: async () => (await import('./actions.ts')).copy,
  },
]
