import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const packages: [string, string][] = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })

test.each(packages)('%s is pinned to one version', (_, version) => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

test('all of Temporal has one version', () => {
  const versions = packages.filter(([name]) => name.startsWith('@temporalio/')).map(([, version]) => version)
  expect(versions.length).toBeGreaterThan(1)
  expect(new Set(versions).size).toBe(1)
})
