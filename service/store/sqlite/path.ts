import { fileURLToPath } from 'node:url'

/** The path of the file that a `file:` URL names. */
export function pathOf(url: string): string {
  // A relative path is not something that a URL can say, so only the absolute form is read as one.
  return url.startsWith('file:/') ? fileURLToPath(url) : url.slice('file:'.length)
}
