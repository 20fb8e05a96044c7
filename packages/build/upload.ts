import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readWorkflow, type Workflow } from './environment.ts'
import type { Tarball } from './pack.ts'
import { packages, root } from './rolldown.config.ts'

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

/** Writes the names of the tarballs in the order of their upload, for `upload.sh`. */
export function writeUploads(out: string, tarballs: readonly Pick<Tarball, 'name' | 'file'>[]): void {
  const files = toPublishOrder().flatMap(name => tarballs.filter(tarball => tarball.name === name))
  writeFileSync(join(out, 'uploads.txt'), files.map(({ file }) => `${basename(file)}\n`).join(''))
}

/** Writes the checksums of the files of a release in the form of `sha256sum`. */
export function writeChecksums(out: string): void {
  const files = readdirSync(out).filter(file => /\.(tgz|json|md|txt)$/.test(file))
  const lines = files.toSorted().map(file => `${digestOf(join(out, file))}  ${file}`)
  writeFileSync(join(out, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

/** Gives the checksum of the checksums to the job of a workflow that uploads. It does not travel with the files. */
export function writeJobOutput(out: string, { output }: Pick<Workflow, 'output'> = readWorkflow()): void {
  if (output) appendFileSync(output, `checksums=${digestOf(join(out, 'SHA256SUMS'))}\n`)
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function dependenciesOf(name: string): string[] {
  const { folder } = packages[name as keyof typeof packages]
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.keys(dependencies)
}
