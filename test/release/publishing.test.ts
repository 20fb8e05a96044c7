import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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

describe('a change of one package', () => {
  let tree: string
  let before: { version: string; texts: Record<string, string> }
  let version: string
  const read = (path: string) => readFileSync(join(tree, path), 'utf8')
  const readJson = (path: string) => JSON.parse(read(path))
  const deployment = [
    'docker-compose.yml',
    'docs/how-to/run-on-kubernetes.md',
    ...['base', 'codec', 'promotion', 'worker'].map(folder => `kubernetes/${folder}/kustomization.yaml`),
  ]

  beforeAll(async () => {
    tree = copyVersioned()
    const texts = Object.fromEntries(deployment.map(path => [path, read(path)]))
    before = { version: readJson('package.json').version, texts }
    const change = "---\n'@lockerflow/client': major\n---\n\nA change for this test.\n"
    writeFileSync(join(tree, '.changeset', 'test.md'), change)
    version = await applyChanges(tree)
  })
  afterAll(() => rmSync(tree, { recursive: true }))

  test('gives all of them a version, and a changelog', () => {
    const [major = 0] = before.version.split('.').map(Number)
    expect(version).toBe(`${major + 1}.0.0`)
    const lock = readJson('package-lock.json')
    for (const folder of folders) {
      expect(readJson(`${folder}/package.json`)).toMatchObject({ version })
      expect(lock.packages[folder]).toMatchObject({ version })
      expect(read(`${folder}/CHANGELOG.md`)).toContain(`## ${version}\n`)
    }
    expect(readJson('package.json')).toMatchObject({ version })
    expect(readJson('packages/testing/package.json').dependencies).toMatchObject({ lockerflow: version })
    expect(readJson('examples/repair-shop/package.json').dependencies).toEqual({ lockerflow: version })
    expect(read('packages/client/CHANGELOG.md')).toContain('A change for this test.')
  })

  test.each(deployment)('gives the image and the build of the workers their version in %s', path => {
    const text = before.texts[path] ?? ''
    expect(text).toContain(before.version)
    const renamed = text.replaceAll(before.version.replaceAll('.', '-'), version.replaceAll('.', '-'))
    expect(read(path)).toBe(renamed.replaceAll(before.version, version))
  })
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
