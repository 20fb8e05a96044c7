import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  applyChanges,
  copyVersioned,
  describeProvenance,
  findProvenanceFaults,
  packages,
  readOrigin,
  readWorkflow,
  toPublishOrder,
  writeChecksums,
} from '../../release/index.ts'
import { root } from '../project/sources.ts'

const folders = Object.values(packages).map(({ folder }) => folder)

test('a change of one package gives all of them a version, and a changelog', async () => {
  const tree = copyVersioned()
  onTestFinished(() => rmSync(tree, { recursive: true }))
  const read = (path: string) => JSON.parse(readFileSync(join(tree, path), 'utf8'))
  const { version: before } = read('package.json')
  writeFileSync(
    join(tree, '.changeset', 'test.md'),
    "---\n'@lockerflow/client': major\n---\n\nA change for this test.\n",
  )
  const version = await applyChanges(tree)
  const [major = 0] = before.split('.').map(Number)
  expect(version).toBe(`${major + 1}.0.0`)
  const lock = read('package-lock.json')
  for (const folder of folders) {
    expect(read(`${folder}/package.json`)).toMatchObject({ version })
    expect(lock.packages[folder]).toMatchObject({ version })
    expect(readFileSync(join(tree, folder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}\n`)
  }
  expect(read('package.json')).toMatchObject({ version })
  expect(read('packages/testing/package.json').dependencies).toMatchObject({ lockerflow: version })
  expect(read('examples/repair-shop/package.json').dependencies).toEqual({ lockerflow: version })
  expect(readFileSync(join(tree, 'packages/client/CHANGELOG.md'), 'utf8')).toContain('A change for this test.')
})

test('the provenance names the packages, the commit and the lockfile by their hashes', async () => {
  const file = join(root, 'LICENSE')
  const digest = (path: string) => createHash('sha512').update(readFileSync(path)).digest('hex')
  const origin = await readOrigin()
  expect(origin.commit).toMatch(/^[\da-f]{40}$/)
  const tarball = { name: '@lockerflow/client', file, contents: [], packedBytes: 0, unpackedBytes: 0 }
  const { subject, predicate } = describeProvenance([tarball], origin)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(subject).toEqual([{ name: `pkg:npm/%40lockerflow/client@${version}`, digest: { sha512: digest(file) } }])
  expect(predicate.buildDefinition.resolvedDependencies.map(each => each.digest)).toEqual([
    { gitCommit: origin.commit },
    { sha512: digest(join(root, 'package-lock.json')) },
  ])
})

test('a release outside of the repository of its manifests, or of a workflow, is refused before the build', () => {
  const workflow = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'somewhere/else' }
  const identity = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example' }
  const wrong = folders.map(folder => expect.stringContaining(`${folder}/package.json: repository.url must be`))
  expect(findProvenanceFaults(readWorkflow({ ...workflow, ...identity }))).toEqual(wrong)
  const signed = expect.stringContaining('the identity of a workflow')
  expect(findProvenanceFaults(readWorkflow(workflow))).toEqual([...wrong, signed])
})

test('a package is uploaded after those that it depends on', () => {
  const order = toPublishOrder()
  expect(order.toSorted()).toEqual(Object.keys(packages).toSorted())
  expect(order.indexOf('@lockerflow/testing')).toBeGreaterThan(order.indexOf('lockerflow'))
  for (const [name, { folder }] of Object.entries(packages)) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const later = order.slice(order.indexOf(name))
    expect({ name, later: later.filter(each => each in dependencies) }).toEqual({ name, later: [] })
  }
})

test('the checksums are those of all files of a release, and of no other', () => {
  const out = mkdtempSync(join(tmpdir(), 'lockerflow-release-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const files = { 'b.tgz': 'packed', 'provenance.json': '{}', 'licences.md': '# Licences\n' }
  for (const [name, text] of Object.entries({ ...files, 'other.log': '' })) writeFileSync(join(out, name), text)
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  for (let times = 0; times < 2; times++) {
    writeChecksums(out)
    const lines = Object.entries(files).map(([name, text]) => `${digest(text)}  ${name}\n`)
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe([lines[0], lines[2], lines[1]].join(''))
  }
})
