import { argv } from 'node:process'
import { moveStore } from '#service'
import { readArguments } from './move/arguments.ts'

try {
  const { from, to } = readArguments(argv.slice(2))
  await moveStore(from, to, {
    copied: ({ table, rows }) => console.log(`${table.padEnd(22)}${String(rows).padStart(9)}`),
  })
  console.log(
    [
      '',
      'Everything is in PostgreSQL. Set LOCKERFLOW_DATABASE_URL to its URL and start the service.',
      'The old file is left as it is; keep it as a backup, and start no service on it again.',
    ].join('\n'),
  )
} catch (error) {
  console.error(`move: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
