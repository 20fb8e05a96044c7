import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'
import { readmeBlock } from './pages.ts'

const compilerOptions = {
  ...{ strict: true, exactOptionalPropertyTypes: true, module: 'nodenext', target: 'es2023', types: ['node'] },
  ...{ skipLibCheck: false, noEmit: true },
}

/** Two files of a shop, beside the declaration of its flow and the program of the client's page. */
const flows = `import { createFlowClient } from '@lockerflow/client'
import { Client, Connection } from '@temporalio/client'
import { repairShop } from './repairShop.js'

export const flows = createFlowClient(new Client({ connection: Connection.lazy() }), { flows: [repairShop] })
`
const desk = `import { flows } from './flows.js'

export async function price(caseNo: string, cents: number): Promise<boolean> {
  const answered = await flows.answer<'repairShop'>(caseNo, { step: 'quote', answer: 'priced', fields: { cents } })
  return answered.kind === 'Answered'
}

export async function startWrongly(): Promise<void> {
  // @ts-expect-error A misspelled field.
  await flows.start('stock', { caseNo: 'S-1', request: { PupUidd: 'pup-1' } })
}
`

/** The compiler and Node's types, installed beside the client to measure what its types cost the compiler. */
export const shopPackages = ['typescript@7.0.2', '@types/node@24.19.2']

/** Writes the shop of a team into a folder, for the compiler. The folder above has the client. */
export async function writeShop(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const declaration = await readFile(join(root, 'examples', 'repair-shop', 'flows', 'repairShop.ts'), 'utf8')
  const files = {
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    'repairShop.ts': declaration.replace('lockerflow/flows', '@lockerflow/client'),
    'flows.ts': flows,
    'desk.ts': desk,
    'book.ts': await readmeBlock('packages/client', 'ts'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
