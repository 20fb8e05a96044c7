import { cwd } from 'node:process'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { writeFiles } from './files.ts'
import { flowFiles } from './flowTemplates.ts'

/** Adds a declaration and its test cases to the project in this folder. */
export async function run({ values, output }: VerbCall): Promise<void> {
  const [name = ''] = values
  if (!/^[a-z][a-zA-Z\d]{0,59}$/.test(name))
    throw misuse(`name must be letters and digits such as keyReturn, and is ${name}.`)
  const files = flowFiles(name)
  await writeFiles(cwd(), files)
  output.result({ files: Object.keys(files) }, () => [
    `Written: ${Object.keys(files).join(', ')}.`,
    `  npx lockerflow flows check flows/${name}.yaml`,
    `  npx lockerflow flows test cases/${name}.yaml --flows flows/${name}.yaml`,
    `  LOCKERFLOW_FLOWS=flows/${name}.yaml npx lockerflow dev`,
  ])
}
