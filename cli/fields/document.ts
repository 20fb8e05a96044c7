import { stdin } from 'node:process'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { readText } from '#flows/check'
import { misuse } from '../command/failure.ts'
import { requireFile } from '../command/values.ts'

/**
 * Reads an object from a file in JSON or YAML, or from standard input.
 * @param option the option that names the file, for errors
 * @param file a path, or `-` for standard input
 * @throws CommandFailure for a file that cannot be read or does not contain an object
 */
export async function readDocument(option: string, file: string): Promise<Record<string, unknown>> {
  const content = file === '-' ? await text(stdin) : await readContent(option, file)
  const document = parseDocument(option, file, content)
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
    return document as Record<string, unknown>
  }
  throw misuse(`${option}: must contain an object, unlike ${nameOf(file)}.`)
}

async function readContent(option: string, file: string): Promise<string> {
  await requireFile(option, file)
  return readText(file).catch((error: Error) => {
    throw misuse(`${option}: must be a file that can be read, but "${file}" is not: ${error.message}.`)
  })
}

/** JSON is YAML, too. Aliases could expand to any size. */
function parseDocument(option: string, file: string, content: string): unknown {
  try {
    return parse(content, { maxAliasCount: 0 })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw misuse(`${option}: must be JSON or YAML, but ${nameOf(file)} is not: ${reason.replace(/[.:]$/, '')}.`)
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}
