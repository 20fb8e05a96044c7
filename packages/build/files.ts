import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Plugin } from 'rolldown'

/** A file beside a source, as the source names it. */
const beside = /new URL\((['"])(\.\.?\/[^'"]*[^'"/])\1, import\.meta\.url\)/g

/**
 * Adds the files that sources find by their own place, since a bundle has another place: programs of child processes,
 * and modules that Temporal's SDK loads by path.
 * @param root of the sources, whose manifest has the version of all packages
 * @param instead files in `dist` that take the place of sources
 */
export function addFiles(root: string, instead: Readonly<Record<string, string>>): Plugin {
  const manifest = join(root, 'package.json')
  return {
    name: 'add-files',
    transform: {
      filter: { code: /import\.meta/ },
      async handler(code, id) {
        const replaced = await replaceAll(code, beside, async ([, , path = '']) => {
          const file = resolve(dirname(id), path)
          const present = instead[relative(root, file).split(sep).join('/')]
          if (present !== undefined || file === manifest) {
            const anchor = this.emitFile({
              type: 'asset',
              fileName: 'version.json',
              source: await readVersion(manifest),
            })
            if (present === undefined) return urlOf(anchor)
            return `new URL(${JSON.stringify(`./${present}`)}, ${urlOf(anchor)})`
          }
          if (file.endsWith('.ts'))
            return urlOf(this.emitFile({ type: 'chunk', id: file, name: chunkNameOf(relative(root, file)) }))
          return urlOf(this.emitFile({ type: 'asset', name: basename(file), source: await readFile(file, 'utf8') }))
        })
        return replaced
      },
    },
  }
}

/** Two files of one name, like `main.ts`, would be one chunk. */
function chunkNameOf(file: string): string {
  return file.slice(0, -'.ts'.length).split(sep).join('-')
}

function urlOf(reference: string): string {
  return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
}

/** The manifest of the tree names development packages. Its readers need the version. */
async function readVersion(manifest: string): Promise<string> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  return JSON.stringify({ version })
}

async function replaceAll(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => Promise<string>) {
  let result = ''
  let end = 0
  for (const match of text.matchAll(pattern)) {
    result += text.slice(end, match.index) + (await replace(match))
    end = match.index + match[0].length
  }
  return result + text.slice(end)
}
