import { SaxesParser } from 'saxes'

/** Characters between two tags. A cell has at most 32,767, and the parser keeps them until the next tag. */
const maxRun = 256 * 1_024

export interface XmlHandlers {
  /** Called with the local name of an element. */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
}

/**
 * Parses the chunks of a part of an .xlsx file. Yields after each chunk, so that the caller can consume what its handlers
 * have collected. The parser knows no entities but those of XML itself, and follows no reference.
 * @throws Error for a part that is not well-formed, has a document type, or has no tag for very long
 */
export async function* parseXml(chunks: AsyncIterable<Uint8Array>, { open, close, text }: XmlHandlers) {
  const parser = new SaxesParser<{ position: false; xmlns?: false }>({ position: false })
  parser.on('opentag', ({ name, attributes }) => open(toLocal(name), attributes))
  parser.on('closetag', ({ name }) => close(toLocal(name)))
  parser.on('text', text)
  parser.on('cdata', text)
  // ECMA-376-2 forbids it, and it could declare entities.
  parser.on('doctype', () => refuse('a document type'))
  parser.on('error', error => refuse(error.message))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let run = 0
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true })
    const tag = decoded.lastIndexOf('<')
    run = tag < 0 ? run + decoded.length : decoded.length - tag
    if (run > maxRun) refuse('a run without a tag')
    parser.write(decoded)
    yield
  }
  parser.write(decoder.decode())
  parser.close()
  yield
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function refuse(fault: string): never {
  throw new Error(`the part has ${fault}`)
}
