import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

const readManifest = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))
const manifest = readManifest('package.json')
const packages: [string, string][] = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })

test.each(packages)('%s is pinned to one version', (_, version) => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

test('all of Temporal has one version', () => {
  const versions = packages.filter(([name]) => name.startsWith('@temporalio/')).map(([, version]) => version)
  expect(versions.length).toBeGreaterThan(1)
  expect(new Set(versions).size).toBe(1)
})

test('the published packages accept every minor version of Temporal since the one that is installed', () => {
  const [major, minor] = manifest.dependencies['@temporalio/client'].split('.')
  const peers = globSync('packages/*/package.json', { cwd: root })
    .flatMap(path => Object.entries<string>({ ...readManifest(path).peerDependencies }))
    .filter(([name]) => name.startsWith('@temporalio/'))
  expect(peers.length).toBeGreaterThan(1)
  expect(peers).toEqual(peers.map(([name]) => [name, `^${major}.${minor}.0`]))
})
