import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
  writeJobOutput,
  writeUploads,
} from '../../packages/build/index.ts'
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
    ...['codec', 'controller', 'promotion', 'site', 'worker'].map(
      folder => `deploy/kubernetes/${folder}/kustomization.yaml`,
    ),
    'deploy/kubernetes/examples/scaledObject.yaml',
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
  const main = { GITHUB_REF: 'refs/heads/main' }
  const wrong = folders.map(folder => expect.stringContaining(`${folder}/package.json: repository.url must be`))
  expect(findProvenanceFaults(readWorkflow({ ...workflow, ...main }))).toEqual(wrong)
  const onMain = expect.stringContaining('by the workflow of releases on refs/heads/main')
  expect(findProvenanceFaults(readWorkflow(workflow))).toEqual([...wrong, onMain])
  const onBranch = expect.stringContaining('on refs/heads/main, and not on refs/heads/next.')
  expect(findProvenanceFaults(readWorkflow({ ...workflow, GITHUB_REF: 'refs/heads/next' }))).toEqual([
    ...wrong,
    onBranch,
  ])
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

describe('the upload', () => {
  /** A folder with a release of two packages, and a program `npm` that writes down its arguments. */
  function prepare({ npmVersion = '11.6.2' } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'lockerflow-release-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [out, calls, output] = ['out', 'calls', 'output'].map(name => join(folder, name)) as [string, string, string]
    mkdirSync(out)
    const program = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${npmVersion}; else echo "$@" >> ${calls}; fi\n`
    writeFileSync(join(folder, 'npm'), program, { mode: 0o755 })
    const tarballs = ['@lockerflow/testing', 'lockerflow'].map(name => ({ name, file: join(out, toFile(name)) }))
    for (const { file } of tarballs) writeFileSync(file, file)
    writeUploads(out, tarballs)
    writeChecksums(out)
    writeJobOutput(out, readWorkflow({ GITHUB_OUTPUT: output }))
    const [, sum = ''] = readFileSync(output, 'utf8').match(/^checksums=([\da-f]{64})\n$/) ?? []
    const upload = () =>
      promisify(execFile)('bash', [join(root, 'packages/build/upload.sh'), out, sum], {
        env: { PATH: `${folder}:${process.env.PATH}` },
      }).then(
        () => ({ code: 0, stderr: '' }),
        ({ code, stderr }) => ({ code, stderr }),
      )
    return {
      out,
      upload,
      published: () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').slice(0, -1) : []),
    }
  }

  const toFile = (name: string) => `${name.replace('@', '').replace('/', '-')}-1.0.0.tgz`

  test('publishes the packages in order, with a provenance and without scripts', async () => {
    const { upload, published } = prepare()
    expect(await upload()).toEqual({ code: 0, stderr: '' })
    const options = '--access public --provenance --ignore-scripts'
    expect(published()).toEqual(
      ['lockerflow', '@lockerflow/testing'].map(name => `publish ./${toFile(name)} ${options}`),
    )
  })

  test.each([
    ['a package was changed', (out: string) => writeFileSync(join(out, toFile('lockerflow')), 'x')],
    ['the list was changed', (out: string) => writeFileSync(join(out, 'uploads.txt'), 'other.tgz\n')],
    [
      'a package was changed with its checksum',
      (out: string) => {
        writeFileSync(join(out, toFile('lockerflow')), 'x')
        writeChecksums(out)
      },
    ],
  ])('publishes nothing if %s', async (_, change) => {
    const { out, upload, published } = prepare()
    change(out)
    expect(await upload()).toMatchObject({ code: 1 })
    expect(published()).toEqual([])
  })

  test('names an npm that knows no trusted publishing', async () => {
    const { upload, published } = prepare({ npmVersion: '11.4.2' })
    expect(await upload()).toEqual({ code: 1, stderr: 'upload: npm must be 11.5.1 or later, got 11.4.2.\n' })
    expect(published()).toEqual([])
  })
})
