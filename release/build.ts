import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackageSource, packages, root } from './catalogue.ts'
import { bundleCode } from './code.ts'
import { bundleTypes, emitTypes } from './declarations.ts'
import { buildWorkflows } from './workflows.ts'

/** Builds all packages from the source tree into their folders. */
export async function buildPackages(): Promise<void> {
  const sources: [string, PackageSource][] = Object.entries(packages)
  const built = sources.filter(([, { forwards }]) => !forwards)
  const types = await emitTypes(built.flatMap(([, { entries }]) => Object.values(entries)))
  try {
    for (const [name, source] of sources) {
      await rm(join(root, source.folder, 'dist'), { recursive: true, force: true })
      if (source.forwards) await forward(source)
      else {
        await bundleCode(name, source)
        await bundleTypes(source, types)
      }
      if (source.runs) await buildWorkflows(source.folder)
      await cp(join(root, 'LICENSE'), join(root, source.folder, 'LICENSE'))
    }
  } finally {
    await types.remove()
  }
}

async function forward({ folder, entries }: PackageSource): Promise<void> {
  const dist = join(root, folder, 'dist')
  await mkdir(dist)
  for (const [name, entry] of Object.entries(entries)) {
    for (const ending of ['js', 'd.ts']) await writeFile(join(dist, `${name}.${ending}`), `export * from '${entry}'\n`)
  }
}
