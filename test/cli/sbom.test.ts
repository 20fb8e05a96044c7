import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Component, licenceProblem } from '../../cli/sbom.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))

test('the command writes every package of the image with its checksum, and its licence', async () => {
  const folder = temporaryFolder()
  await promisify(execFile)(process.execPath, ['cli/sbom.ts', '--out', folder])
  const bom = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'lockerflow' } } })
  const components = bom.components as Component[]
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
  expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([])
  expect(components.map(({ name }) => name)).not.toContain('vitest')
  const page = readFileSync(join(folder, 'licences.md'), 'utf8')
  for (const { name, version } of components) expect(page).toContain(`| ${name} | ${version} | `)
})

test.each([
  ['MIT', undefined],
  ['Apache-2.0 AND MIT', undefined],
  ['(MIT OR GPL-3.0)', undefined],
  ['GPL-3.0', 'got GPL-3.0.'],
  ['MIT AND GPL-3.0', 'got MIT AND GPL-3.0.'],
  ['', 'got none.'],
])('the licence %s is judged', (expression, problem) => {
  const found = licenceProblem({
    'bom-ref': 'some@1.0.0',
    name: 'some',
    version: '1.0.0',
    licenses: expression === '' ? [] : [{ expression }],
  })
  expect(found).toEqual(problem === undefined ? undefined : expect.stringContaining(problem))
})

test('every package of the lockfile comes from the registry and has a checksum', () => {
  const packages = Object.entries<{ integrity?: string; resolved?: string; link?: true }>(lock.packages).slice(1)
  const foreign = packages.filter(([path, { link }]) => !link && path.includes('node_modules/'))
  const without = foreign.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([name]) => name)
  expect(without).toEqual([])
})

test('the parser of spreadsheets is the reviewed archive', () => {
  // Another archive under the same version fails the installation; a new version needs a review.
  expect(manifest.dependencies['@e965/xlsx']).toBe('0.20.3')
  expect(lock.packages['node_modules/@e965/xlsx'].integrity).toBe(
    'sha512-703RN/3OdsRD5mtse2HBX7Um7xwaP9tlswEG6svOtjqokXoX7rJdQj7DyabD2I+xk22RgaIIU+R6BHgkpZGB/w==',
  )
})
