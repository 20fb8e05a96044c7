import { cwd } from 'node:process'
import { flows } from '#flows'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { writeFiles } from './project.ts'

/** Adds a declaration and its test cases to the project in this folder. */
export async function run({ values, output }: VerbCall): Promise<void> {
  const [name = ''] = values
  if (!/^[a-z][a-zA-Z\d]{0,59}$/.test(name))
    throw misuse(`name: must be letters and digits such as keyReturn, got "${name}".`)
  if (Object.hasOwn(flows, name)) throw misuse(`name: must not be that of a built-in flow, got "${name}".`)
  const files = flowFiles(name)
  await writeFiles(cwd(), files)
  output.result({ files: Object.keys(files) }, () => [
    `Written: ${Object.keys(files).join(', ')}.`,
    `  npx lockerflow flows check flows/${name}.yaml`,
    `  npx lockerflow flows test cases/${name}.yaml --flows flows/${name}.yaml`,
    `  LOCKERFLOW_FLOWS=flows/${name}.yaml npx lockerflow dev`,
  ])
}

/** The files of a first custom flow, by their paths. @param name such as `keyReturn` */
function flowFiles(name: string): Readonly<Record<string, string>> {
  return { [`flows/${name}.yaml`]: declaration(name), [`cases/${name}.yaml`]: cases(name) }
}

/** The comment that editors with a YAML language server need to complete and check a file. */
function schema(name: 'declaration' | 'cases'): string {
  return `# yaml-language-server: $schema=../node_modules/lockerflow/${name}.schema.json`
}

function declaration(name: string): string {
  return `${schema('declaration')}
# Check it: npx lockerflow flows check flows/${name}.yaml
name: ${name}
summary: A user brings an item, and the dispatcher collects it.
input:
  PupUid: uid
  userUid: uid
steps:
  - name: booking
    summary: A locker is booked.
    book: CreateLocalShipmentAsIntake
    request:
      PupUid: { from: input.PupUid }
      FromUserUid: { from: input.userUid }
      Dimension: { width: 30, height: 15, length: 40 }
      AllowLargerLockers: true
      AllowOverflowLockers: false
  - name: bring
    summary: The user places the item in the locker.
    wait: { intake: ReadyForPickup }
    window: 7d
    onTimeout: cancel
  - name: collect
    summary: The dispatcher collects the item.
    wait: { intake: Completed }
    window: 2d
    onTimeout: remind
`
}

function cases(name: string): string {
  const start = `  flow: ${name}
  request:
    PupUid: { $pup: 1 }
    userUid: { $user: 1 }
`
  return `${schema('cases')}
# Run them: npx lockerflow flows test cases/${name}.yaml --flows flows/${name}.yaml

- case: the item arrives
${start}  story:
    - dropOff: intake
    - pickUp: intake
  ends:
    outcome: completed
    leftOver: []

- case: the user never comes
${start}  story:
    - expect: { step: bring }
    - after: 7d
  ends:
    outcome: expired
    leftOver: []
`
}
