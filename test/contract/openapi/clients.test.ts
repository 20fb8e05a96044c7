import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Operation, operations } from '#contract'
import { errors } from '#contract/terms'
import { root } from '../../project/sources.ts'
import { lacksGo } from '../../support/examples/languages.ts'
import { generateGo, generatePython } from '../../support/openapi/generators.ts'
import { findPython } from '../../support/setup/python.ts'

const run = promisify(execFile)
/** Milliseconds that the first generation and build may take. */
const timeout = 900_000

const source = join(root, 'test/support/openapi/programs')
const document = join(root, 'docs/reference/openapi.json')
const hasPython = (await findPython()) !== undefined

test.skipIf(!hasPython)(
  'a client generated in Python reads every example, and tells a refusal from a success',
  {
    timeout,
  },
  async () => {
    const { command, variables } = await generatePython({
      name: 'service',
      document,
      packageName: 'service_api',
      source,
    })
    const env = { ...process.env, ...variables }
    const { stdout } = await run(command, [join(source, 'read_examples.py'), document], { env })
    const expected = Object.values<Operation>(operations).flatMap(({ name, errors: codes }) => [
      [`${name} success`, `${name}Success`],
      ...codes.filter(code => errors[code].status === 200).map(code => [`${name} ${code}`, `${name}Refusal`]),
    ])
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected))
  },
)

test.skipIf(lacksGo !== undefined)(
  'a client generated in Go compiles, and can set each field of a request',
  {
    timeout,
  },
  async () => {
    const folder = await generateGo({ name: 'service', document, packageName: 'serviceapi', source }, ['main.go'])
    const { stdout } = await run(join(folder, 'program'))
    expect(JSON.parse(stdout)).toMatchObject([
      { PupUid: 'pup-1', ReferenceCaseNo: 'L-1', Description: '' },
      { referenceCaseNo: 'L-1', sortBy: 'ActivityDesc' },
      { userUid: 'user-1', streetNo: '12a' },
    ])
    const generated = await readFile(join(folder, 'serviceapi/serviceapi.gen.go'), 'utf8')
    const types = [...generated.matchAll(/^type (\w+(?:Request|Details)) struct \{\n(?<fields>[\s\S]*?)^\}/gm)]
    expect(types.length).toBeGreaterThan(30)
    // Only methods of a named type set an unexported field.
    expect(types.filter(({ groups }) => groups?.fields?.includes('union json')).map(([, name]) => name)).toEqual([])
  },
)
