import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages, root } from './catalogue.ts'

/** Packages in the order of their upload: a package comes after those that it depends on. */
export function toPublishOrder(): string[] {
  const names = Object.keys(packages)
  const order: string[] = []
  function add(name: string): void {
    if (order.includes(name)) return
    for (const dependency of dependenciesOf(name)) if (names.includes(dependency)) add(dependency)
    order.push(name)
  }
  for (const name of names.toSorted()) add(name)
  return order
}

/** Writes the checksums of the files of a release in the form of `sha256sum`. */
export function writeChecksums(out: string): void {
  const files = readdirSync(out).filter(file => /\.(tgz|json|md)$/.test(file))
  const lines = files.toSorted().map(file => {
    const digest = createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex')
    return `${digest}  ${file}`
  })
  writeFileSync(join(out, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

function dependenciesOf(name: string): string[] {
  const { folder } = packages[name as keyof typeof packages]
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.keys(dependencies)
}
