import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packages, root } from './rolldown.config.ts'

const run = promisify(execFile)
const changeset = join(root, 'node_modules', '.bin', 'changeset')
const folders = Object.values(packages).map(({ folder }) => folder)

/** An example that is a project of its own, and names the package by its version. */
const example = 'examples/repair-shop/package.json'

/** Files that name the image, the build of the workers or their Kubernetes objects by the version. */
const deployment = [
  'docker-compose.yml',
  ...globSync(['deploy/kubernetes/*/kustomization.yaml', 'deploy/kubernetes/examples/scaledObject.yaml'], {
    cwd: root,
  }),
  'docs/how-to/run-on-kubernetes.md',
]

/** The words before a version, or before one with dashes, in the files of a deployment. Other images have versions too. */
const beforeVersion =
  '(?<=lockerflow:|LOCKERFLOW_VERSION:-|newTag: |version: |BuildId: |(?:nameSuffix: |worker|promotion)-)'

/** Files that a new version changes, relative to the root. */
const versioned = [
  '.changeset',
  'package.json',
  'package-lock.json',
  example,
  ...deployment,
  ...folders.flatMap(filesOf),
]

/** Returns a sentence if there are changes that no version has. */
export function findPendingChanges(): string[] {
  const pending = readdirSync(join(root, '.changeset')).filter(file => /^(?!README).+\.md$/.test(file))
  if (pending.length === 0) return []
  return [
    `.changeset must have no pending changes, got ${pending.join(', ')}. Run npm run release -- --version, and commit.`,
  ]
}

/**
 * Applies the changesets of a tree: versions, changelogs, the lockfile and the files of a deployment.
 * @returns the new version
 */
export async function applyChanges(tree = root): Promise<string> {
  const { version: earlier } = readManifest(tree, 'package.json')
  await run(process.execPath, [changeset, 'version'], { cwd: tree })
  const [folder = ''] = folders
  const { version } = readManifest(tree, join(folder, 'package.json'))
  writeManifest(tree, 'package.json', { version })
  writeManifest(tree, example, { dependencies: { lockerflow: version } })
  for (const path of deployment) replaceVersion(join(tree, path), earlier, version)
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', args, { cwd: tree })
  return version
}

/** Copies the files that a new version changes. @returns the folder of the copy */
export function copyVersioned(): string {
  const parent = join(root, '.lockerflow')
  mkdirSync(parent, { recursive: true })
  // Below the root, where the writer of changelogs is installed.
  const tree = mkdtempSync(join(parent, 'versions-'))
  for (const path of versioned) cpSync(join(root, path), join(tree, path), { recursive: true })
  return tree
}

/** Applies the changesets to a copy, and keeps its changelogs. @returns the version of the next release */
export async function previewChanges(out: string): Promise<string> {
  const tree = copyVersioned()
  try {
    const version = await applyChanges(tree)
    for (const folder of folders) {
      const changelog = join(out, 'changelogs', folder, 'CHANGELOG.md')
      mkdirSync(dirname(changelog), { recursive: true })
      cpSync(join(tree, folder, 'CHANGELOG.md'), changelog)
    }
    return version
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function filesOf(folder: string): string[] {
  return [`${folder}/package.json`, `${folder}/CHANGELOG.md`]
}

function replaceVersion(file: string, earlier: string, version: string): void {
  const dotted = new RegExp(`${beforeVersion}${earlier.replaceAll('.', '\\.')}\\b`, 'g')
  const dashed = new RegExp(`${beforeVersion}${withDashes(earlier)}\\b`, 'g')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(dotted, version).replace(dashed, withDashes(version)))
}

/** Names of Kubernetes objects have no dots. */
function withDashes(version: string): string {
  return version.replaceAll('.', '-')
}

function readManifest(tree: string, path: string): { version: string } {
  return JSON.parse(readFileSync(join(tree, path), 'utf8'))
}

function writeManifest(tree: string, path: string, changes: object): void {
  writeFileSync(join(tree, path), `${JSON.stringify({ ...readManifest(tree, path), ...changes }, undefined, 2)}\n`)
}
