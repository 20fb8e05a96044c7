import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { type PackageSource, root } from './catalogue.ts'
import { isExternal } from './external.ts'

const entryPrefix = '\0entry:'

/** Bundles the code of a package, one file for each entry and one for what several share. */
export async function bundleCode(name: string, { folder, entries, node }: PackageSource): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, entryPrefix + file])),
    external: isExternal,
    platform: 'node',
    // No file of ours has an effect when it is loaded, so what an entry does not use is left out.
    treeshake: { moduleSideEffects: id => id.startsWith(entryPrefix) || id === versionCheck },
    experimental: { attachDebugInfo: 'none' },
    transform: { target: `node${node}` },
    plugins: [checkVersion(name, node)],
  })
  await bundle.write({
    dir: join(root, folder, 'dist'),
    format: 'esm',
    chunkFileNames: 'code/[name].js',
    comments: { annotation: true, jsdoc: false, legal: true },
  })
  await bundle.close()
}

const versionCheck = '\0version-check'

/** Begins each entry with a check of Node's version: `engines` alone is a warning during the installation. */
function checkVersion(name: string, node: string): Plugin {
  return {
    name: 'check-version',
    resolveId: id => (id.startsWith(entryPrefix) || id === versionCheck ? { id, moduleSideEffects: true } : undefined),
    load(id) {
      if (id === versionCheck) return writeCheck(name, node)
      if (!id.startsWith(entryPrefix)) return undefined
      const file = JSON.stringify(join(root, id.slice(entryPrefix.length)))
      return `import ${JSON.stringify(versionCheck)}\nexport * from ${file}\n`
    },
  }
}

function writeCheck(name: string, node: string): string {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return `const [major, minor] = process.versions.node.split('.').map(Number)
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`${name} needs Node ${node} or later, and this is Node \${process.versions.node}. Install a newer Node from https://nodejs.org.\`)
`
}
