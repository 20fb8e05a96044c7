import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { bundleFlows } from '#worker'
import { bundleTypes, emitTypes } from './declarations.ts'
import { nameErrorPages, writeErrorPages } from './errorPages.ts'
import config, { type PackageSource, packages, root } from './rolldown.config.ts'

/** The schemas with which editors complete and check declarations, test cases and calendars. */
const schemas = ['calendars', 'cases', 'declaration'].map(name => `${name}.schema.json`)

const sources: [string, PackageSource][] = Object.entries(packages)

/** Builds all packages from the source tree into their folders. */
export async function buildPackages(): Promise<void> {
  for (const [, { folder }] of sources) await rm(join(root, folder, 'dist'), { recursive: true, force: true })
  await build(config)
  for (const [name, source] of sources) {
    nameErrorPages(source, '{*,code/*}.js')
    if (source.runs) await addFlows(source)
    writeErrorPages(name, source)
    await cp(join(root, 'LICENSE'), join(root, source.folder, 'LICENSE'))
  }
  await writeTypes()
}

/** Adds the bundle of the package's own workers, which then need no bundler. */
async function addFlows(source: PackageSource): Promise<void> {
  nameErrorPages(source, 'workflows/*.js')
  const { code } = await bundleFlows()
  await writeFile(join(root, source.folder, 'dist', 'workflows.bundle.js'), shortenMap(code))
  nameErrorPages(source, 'workflows.bundle.js')
  for (const schema of schemas) await cp(join(root, 'docs/reference', schema), join(root, source.folder, schema))
}

/** Stack traces need the names of files and lines. The sources, and their place on the machine of the build, stay out. */
function shortenMap(code: string): string {
  return code.replace(/(sourceMappingURL=data:application\/json;charset=utf-8;base64,)(\S+)/, (_, prefix, text) => {
    const { sourcesContent: _content, ...map } = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    const files = map.sources.map((source: string) => source.replaceAll(`${root}/`, ''))
    return prefix + Buffer.from(JSON.stringify({ ...map, sources: files })).toString('base64')
  })
}

async function writeTypes(): Promise<void> {
  const typed = sources.map(([, source]) => source).filter(({ typesOf }) => typesOf === undefined)
  const types = await emitTypes(typed.flatMap(({ entries }) => Object.values(entries)))
  try {
    for (const source of typed) await bundleTypes(source, types)
  } finally {
    await types.remove()
  }
  for (const [, { folder, entries, typesOf }] of sources.filter(([, source]) => source.typesOf !== undefined))
    for (const name of Object.keys(entries))
      await writeFile(join(root, folder, 'dist', `${name}.d.ts`), `export * from '${typesOf}'\n`)
}
