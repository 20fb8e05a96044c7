import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { verbs } from '../../cli/verbs.ts'
import type { Tarball } from '../../packages/build/index.ts'
import { nameErrorPages, packages, workflowFiles } from '../../packages/build/index.ts'
import { root, sourceOf } from '../project/sources.ts'
import { packed } from '../support/packages/packed.ts'
import { linksIn, proseOf } from '../support/project/markdown.ts'

const names = Object.keys(packages) as (keyof typeof packages)[]

/** Files that programs of lockerflow read: the guard of child processes, and the version. */
const needed = ['guard.sh', 'version.json']

/** The version of the source tree needs Node 22.19. */
const undici7 = { undici: '7.30.2' }
const older: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@lockerflow/api': undici7,
  '@lockerflow/testing': undici7,
}

let tarballs: Tarball[]

beforeAll(async () => {
  tarballs = await packed()
})

/** The name without the hash of the build. */
function nameOf(path: string): string {
  return basename(path).replace(/-[\w-]{8}(?=\.)/, '')
}

/** The package of an import: `xstate` of `xstate/graph`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The packages that a file of a package loads, and its other files. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set()
  seen.add(file)
  const { imports } = sourceOf(file, readFileSync(file, 'utf8'))
  const specifiers = imports.filter(specifier => specifier !== undefined)
  return new Set(
    specifiers.flatMap(each => (each.startsWith('.') ? [...importedBy(join(dirname(file), each), seen)] : [each])),
  )
}

function tarball(name: string): Tarball {
  const found = tarballs.find(each => each.name === name)
  if (found === undefined) throw new Error(`${name} was not packed`)
  return found
}

describe.each(names)('%s', name => {
  const folder = join(root, packages[name].folder)

  test('contains code, declarations, manifest, licence and README, and nothing else', () => {
    const { contents } = tarball(name)
    const others = contents.filter(path => !/^dist\/.+\.(js|d\.ts)$/.test(path) && !needed.includes(nameOf(path)))
    const pages = packages[name].errorPage.of === name ? ['errors.md'] : []
    const schemas = ['calendars', 'cases', 'declaration'].map(each => `${each}.schema.json`)
    const ofFlows = 'runs' in packages[name] ? ['declaration-faults.md', ...schemas] : []
    const every = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
    expect(others.toSorted()).toEqual([...every, ...ofFlows, ...pages].toSorted())
    const entries = Object.keys(packages[name].entries).flatMap(entry => [`dist/${entry}.js`, `dist/${entry}.d.ts`])
    expect(contents).toEqual(expect.arrayContaining(entries))
    // Without the bundle a worker would start with a bundler, seconds later.
    const workflows = 'runs' in packages[name] ? Object.values(workflowFiles).map(file => `dist/${file}`) : []
    expect(contents.filter(path => workflows.includes(path)).toSorted()).toEqual(workflows.toSorted())
  })

  test('has pages whose links lead to files of the package, or to addresses', () => {
    const { contents } = tarball(name)
    const pages = contents.filter(path => path.endsWith('.md'))
    const links = pages.flatMap(path => linksIn(proseOf(`${packages[name].folder}/${path}`)))
    const broken = links.filter(link => !/^(https?:\/\/|#)/.test(link) && !contents.includes(link.replace(/#.*/, '')))
    expect(broken).toEqual([])
  })

  test('names verbs of the command instead of scripts of the source tree', () => {
    const texts = tarball(name).contents.filter(path => /\.(js|md)$/.test(path))
    const named = texts.flatMap(path =>
      Array.from(readFileSync(join(folder, path), 'utf8').matchAll(/npm run ([a-z]+)/g), ([, script = '']) => ({
        path,
        script,
      })),
    )
    expect(named.filter(({ script }) => verbs.some(verb => verb.name.split(' ')[0] === script))).toEqual([])
  })

  test('declares every package that it imports', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const declared = Object.keys({ ...dependencies, ...peerDependencies })
    // The bundle of the workflows has no imports.
    const files = tarball(name).contents.filter(path => /\.(js|d\.ts)$/.test(path) && !path.endsWith('.bundle.js'))
    const imports = files.flatMap(path => {
      const source = sourceOf(path, readFileSync(join(folder, path), 'utf8'))
      return [...source.imports, ...source.typeImports].filter(specifier => specifier !== undefined)
    })
    // The bundler of a worker with the plugin replaces the last one.
    const foreign = new Set(
      imports.filter(each => !/^(\.|node:|__lockerflow_own_workflows$)/.test(each)).map(packageOf),
    )
    expect([...foreign].filter(each => !declared.includes(each))).toEqual([])
  })

  test('has the versions of the source tree', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest.engines).toEqual({ node: `>=${packages[name].node}.0` })
    const tree = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest.version).toBe(tree.version)
    for (const [dependency, version] of Object.entries({ ...manifest.dependencies }))
      expect([dependency, version]).toEqual([
        dependency,
        older[name]?.[dependency] ?? tree.dependencies[dependency] ?? tree.version,
      ])
    for (const [peer, range] of Object.entries<string>({ ...manifest.peerDependencies }))
      expect([peer, range.slice(1)]).toEqual([peer, tree.dependencies[peer]])
  })
})

describe('@lockerflow/client', () => {
  const folder = join(root, packages['@lockerflow/client'].folder)

  test('is smaller than 152 kB', () => {
    expect(tarball('@lockerflow/client').unpackedBytes).toBeLessThan(152_000)
  })

  test('imports Temporal and Node only', () => {
    const files = tarball('@lockerflow/client').contents.filter(path => /\.(js|d\.ts)$/.test(path))
    const imports = files.flatMap(path => {
      const source = sourceOf(path, readFileSync(join(folder, path), 'utf8'))
      return [...source.imports, ...source.typeImports].filter(specifier => !specifier?.startsWith('.'))
    })
    const foreign = new Set(imports.filter(specifier => !specifier?.startsWith('node:')))
    // Temporal's client depends on the second one.
    expect([...foreign].toSorted()).toEqual(['@temporalio/client', 'nexus-rpc'])
  })
})

/** The packages that an entry loads, without those of Node. */
function loadedBy(name: keyof typeof packages, entry: string): string[] {
  const imported = importedBy(join(root, packages[name].folder, 'dist', `${entry}.js`))
  const foreign = [...imported].filter(specifier => !specifier.startsWith('node:'))
  return [...new Set(foreign.map(packageOf))].toSorted()
}

test('callers of the service load neither Temporal nor the parts of the service', () => {
  const allowed = /^(iso-3166|undici|zod)$/
  for (const [name, entries] of [
    ['@lockerflow/api', ['index', 'contract']],
    ['lockerflow', ['api', 'contract']],
  ] as const)
    for (const entry of entries) {
      const foreign = loadedBy(name, entry).filter(each => !allowed.test(each))
      expect({ entry, foreign }).toEqual({ entry, foreign: [] })
    }
})

test("starters of flows load Temporal's client, and neither the service nor its stores", () => {
  expect(loadedBy('lockerflow', 'client')).toEqual(['@temporalio/client'])
  expect(loadedBy('@lockerflow/client', 'index')).toEqual(['@temporalio/client'])
})

test.each(names.filter(name => packages[name].node === '20.19'))(
  '%s uses nothing that is newer than the oldest supported Node',
  name => {
    const newer =
      /\b(withResolvers|fromAsync|groupBy|isSubsetOf|isSupersetOf|URL\.parse|RegExp\.escape|import\.meta\.main|node:sqlite)\b/
    const files = tarball(name).contents.filter(path => path.endsWith('.js'))
    const folder = join(root, packages[name].folder)
    const found = files.flatMap(path => newer.exec(readFileSync(join(folder, path), 'utf8'))?.[0] ?? [])
    expect(found).toEqual([])
  },
)

test('a build whose messages name no page of errors fails', () => {
  expect(() => nameErrorPages(packages.lockerflow, 'workflows.bundle.js')).toThrow('must contain the address')
})
