import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { longFolders, notQuick, quick, quickAlone, quickPostgres } from '../suites.ts'
import { root } from './sources.ts'

const tests = globSync('test/**/*.test.ts', { cwd: root })
const entries = [...quick, ...notQuick, ...quickAlone, ...quickPostgres]
const matches = (path: string, patterns: readonly string[]) => patterns.some(pattern => matchesGlob(path, pattern))

test('every entry of the quick suite has a test', () => {
  expect(entries.filter(entry => !tests.some(path => matchesGlob(path, entry)))).toEqual([])
})

test('every folder has tests in the quick suite, or is a long one', () => {
  const folders = readdirSync(join(root, 'test')).filter(name => tests.some(path => path.startsWith(`test/${name}/`)))
  const isListed = (folder: string) => entries.some(entry => entry.startsWith(`test/${folder}/`))
  expect(folders.filter(folder => !isListed(folder))).toEqual(longFolders)
})

test('npm run test:all runs every test', () => {
  const projects = (config.test?.projects ?? []).flatMap(project =>
    typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
  )
  const full = projects.filter(({ name }) => !`${name}`.startsWith('quick'))
  const isRun = (path: string) =>
    full.some(({ include = [], exclude = [] }) => matches(path, include) && !matches(path, exclude))
  expect(tests.filter(path => !isRun(path))).toEqual([])
})

test('a test that only PostgreSQL runs is in its quick suite', () => {
  const onPostgres = /runIf\((onPostgres|inject\('postgres'\) !== undefined)\)/
  const needing = tests.filter(path => onPostgres.test(readFileSync(join(root, path), 'utf8')))
  expect(needing).not.toEqual([])
  expect(needing.filter(path => path !== 'test/project/suites.test.ts' && !quickPostgres.includes(path))).toEqual([])
})
