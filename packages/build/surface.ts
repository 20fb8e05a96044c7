import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PackageSource, packages, root } from './catalogue.ts'

/** The report of a package's public surface, which is committed. */
const surfaceFile = 'surface.txt'

/** Writes the declarations of a built package without comments: every name and type that its users can see. */
function describeSurface({ folder }: PackageSource): string {
  const dist = join(root, folder, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.d.ts'))
  const parts = files.toSorted().map(file => {
    const text = readFileSync(join(dist, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
    const lines = text.split('\n').filter(line => line.trim() !== '')
    return `${file.replaceAll('\\', '/')}\n\n${lines.map(line => line.trimEnd()).join('\n')}\n`
  })
  return parts.join('\n')
}

/** Commits the surface of every built package to its report. */
export function writeSurfaces(): void {
  for (const source of Object.values(packages)) {
    writeFileSync(join(root, source.folder, surfaceFile), describeSurface(source))
  }
}

/** Returns one sentence for each package whose surface is not the one of its report. */
export function findChangedSurfaces(): string[] {
  return Object.entries(packages).flatMap(([name, source]) => {
    const reported = readFileSync(join(root, source.folder, surfaceFile), 'utf8')
    if (reported === describeSurface(source)) return []
    return [
      `${source.folder}/${surfaceFile}: must be the public surface of ${name}. If the change is meant, run npm run packages -- --surface and npx changeset.`,
    ]
  })
}
