import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../project/sources.ts'
import { listFiles } from '../support/project/files.ts'
import { type EntryExport, readDocstrings, readExamples, readExports } from '../support/release/exports.ts'
import { typeCheck } from '../support/release/typeCheck.ts'

/** Names that the examples use without a declaration. */
const given = `import type { createServer as create } from 'node:http'
import type { Client as TemporalClient, Connection as TemporalConnection } from '@temporalio/client'
import type { NativeConnection, Worker as TemporalWorker } from '@temporalio/worker'
import type { createNexusServiceClient as createNexus, sleep as wait } from '@temporalio/workflow'
import type { Api, ApiSettings } from '#contract/client'
import type { FlowClient } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import type { repairShop as Shop } from '../../examples/repair-shop/flows/repairShop.ts'

declare global {
  const api: Api
  const authUrl: ApiSettings['authUrl']
  const baseUrl: ApiSettings['baseUrl']
  const body: string
  const client: TemporalClient
  const Client: typeof TemporalClient
  const clientId: string
  const clientSecret: string
  const connection: NativeConnection
  const Connection: typeof TemporalConnection
  const createServer: typeof create
  const createNexusServiceClient: typeof createNexus
  const declaration: FlowDeclaration
  const describe: (name: string, body: () => void) => void
  const flows: FlowClient<typeof Shop>
  const error: unknown
  const fileURLToPath: (url: string) => string
  const key: string
  const printLabel: () => Promise<{ labelNo: string }>
  const rawBody: string
  const repairShop: typeof Shop
  const request: any
  const shipmentUid: string
  const sleep: typeof wait
  const taskQueue: string
  const test: (name: string, body: () => Promise<void>) => void
  const voidLabel: () => Promise<void>
  const Worker: typeof TemporalWorker
}
`

const modules = listFiles('*.ts')
  .filter(path => !/^(test|bench|examples)\//.test(path))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const exported = readExports(modules)

test('every example compiles', async () => {
  const examples = new Map<string, string>()
  for (const row of exported) for (const code of readExamples(row.docstring ?? '')) examples.set(code, row.entry)
  // The calls of the clients have their examples at the methods.
  for (const file of ['client/types.ts', 'contract/client/types.ts'])
    for (const docstring of readDocstrings(readFileSync(join(root, file), 'utf8')))
      for (const code of readExamples(docstring)) examples.set(code, 'client/index.ts')
  const examplesAsModules = Array.from(examples, ([code, entry], index) => {
    return [`example${index}.ts`, `${importsOf(code, entry)}\n${code}\nexport {}\n`]
  })
  expect(examplesAsModules).not.toEqual([])
  expect(
    await typeCheck({ 'given.ts': given, ...Object.fromEntries(examplesAsModules) }, { noUnusedLocals: false }),
  ).toBe('')
})

/** Imports the exported names that an example uses. Those of its own entry come before the given names. */
function importsOf(code: string, entry: string): string {
  const words = new Set(code.match(/\b[A-Za-z]\w*\b/g))
  const own = exported.filter(row => row.entry === entry && words.has(row.name))
  const others = exported.filter(row => !given.includes(` ${row.name}:`) && words.has(row.name))
  const first = new Map<string, EntryExport>()
  for (const row of [...own, ...others]) if (!first.has(row.name) && !declares(code, row.name)) first.set(row.name, row)
  return [...first.values()]
    .map(row => `import { ${row.isType ? 'type ' : ''}${row.name} } from '../../${row.entry}'`)
    .join('\n')
}

function declares(code: string, name: string): boolean {
  return new RegExp(`const (${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\} =)`).test(code)
}
