import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackageSource, packages, root } from './catalogue.ts'
import { bundleCode } from './code.ts'
import { bundleTypes, emitTypes } from './declarations.ts'
import { writeErrorPages } from './errorPages.ts'
import { buildWorkflows } from './workflows.ts'

/** The schemas with which editors complete and check declarations, test cases and calendars. */
const schemas = ['calendars', 'cases', 'declaration'].map(name => `${name}.schema.json`)

/** Builds all packages from the source tree into their folders. */
export async function buildPackages(): Promise<void> {
  const sources: [string, PackageSource][] = Object.entries(packages)
  const typed = sources.filter(([, { typesOf }]) => typesOf === undefined)
  const types = await emitTypes(typed.flatMap(([, { entries }]) => Object.values(entries)))
  try {
    for (const [name, source] of sources) {
      await rm(join(root, source.folder, 'dist'), { recursive: true, force: true })
      await bundleCode(name, source)
      if (source.typesOf === undefined) await bundleTypes(source, types)
      else await forwardTypes(source)
      if (source.runs) await buildWorkflows(source)
      if (source.runs) await copySchemas(source)
      writeErrorPages(name, source)
      await cp(join(root, 'LICENSE'), join(root, source.folder, 'LICENSE'))
    }
  } finally {
    await types.remove()
  }
}

async function copySchemas({ folder }: PackageSource): Promise<void> {
  for (const schema of schemas) await cp(join(root, 'docs/reference', schema), join(root, folder, schema))
}

async function forwardTypes({ folder, entries, typesOf }: PackageSource): Promise<void> {
  for (const name of Object.keys(entries))
    await writeFile(join(root, folder, 'dist', `${name}.d.ts`), `export * from '${typesOf}'\n`)
}
