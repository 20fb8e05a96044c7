import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { bundleFlows } from '#worker'
import { isExternal, type PackageSource, root } from './catalogue.ts'
import { nameErrorPage, nameErrorPages } from './errorPages.ts'

/** Files of the package, relative to `dist`, that take the place of the sources of workflows. */
export const workflowFiles = {
  'workflows/index.ts': 'workflows/index.js',
  'workflows/pluginEntry.ts': 'workflows/pluginEntry.js',
  'workflows/converters.ts': 'workflows/converters.js',
  'workflows/tracing.ts': 'workflows/tracing.js',
  'worker/workflows.bundle.js': 'workflows.bundle.js',
} as const

/**
 * Builds the workflows of a package twice: the bundle of its own workers, which then need no bundler, and modules for the
 * bundle of a worker that has workflows of its own.
 */
export async function buildWorkflows(source: PackageSource): Promise<void> {
  const dist = join(root, source.folder, 'dist')
  const { code } = await bundleFlows()
  await writeFile(join(dist, 'workflows.bundle.js'), shortenMap(nameErrorPage(code, source)))
  const bundle = await rolldown({
    cwd: root,
    input: {
      index: join(root, 'workflows/index.ts'),
      pluginEntry: join(root, 'workflows/pluginEntry.ts'),
      converters: join(root, 'workflows/converters.ts'),
      tracing: join(root, 'workflows/tracing.ts'),
    },
    external: isExternal,
    experimental: { attachDebugInfo: 'none' },
    plugins: [nameErrorPages(source)],
  })
  await bundle.write({ dir: join(dist, 'workflows'), format: 'esm', chunkFileNames: '[name].js' })
  await bundle.close()
}

/** Stack traces need the names of files and lines. The sources, and their place on the machine of the build, stay out. */
function shortenMap(code: string): string {
  return code.replace(/(sourceMappingURL=data:application\/json;charset=utf-8;base64,)(\S+)/, (_, prefix, text) => {
    const { sourcesContent: _content, ...map } = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    const sources = map.sources.map((source: string) => source.replaceAll(`${root}/`, ''))
    return prefix + Buffer.from(JSON.stringify({ ...map, sources })).toString('base64')
  })
}
