import { OperationError } from '../../operationError.ts'
import { createTexts } from './texts.ts'
import { parseXml } from './xml.ts'

/** The texts that cells refer to by their index. */
export interface SharedStrings {
  /** Undefined for an index without a text. */
  at(index: number): string | undefined
}

/**
 * Reads the shared strings. The runs of a formatted text are joined, without its pronunciation.
 * @param maxTexts shared strings; a file needs no more of them than cells
 * @throws OperationError InvalidRequest for more
 */
export async function readSharedStrings(part: AsyncIterable<Uint8Array>, maxTexts: number): Promise<SharedStrings> {
  const texts = createTexts()
  const places: number[] = []
  let item = ''
  let inText = false
  let phonetic = 0
  const parsing = parseXml(part, {
    open(name) {
      if (name === 'si') item = ''
      if (name === 'rPh') phonetic++
      inText = name === 't' && phonetic === 0
    },
    close(name) {
      inText = false
      if (name === 'rPh') phonetic--
      if (name !== 'si') return
      if (places.length === maxTexts)
        throw new OperationError('InvalidRequest', `The file must have at maxTexts ${maxTexts} texts.`)
      places.push(texts.push(item))
    },
    text(text) {
      if (inText) item += text
    },
  })
  for await (const _ of parsing);
  return {
    at(index) {
      const place = places[index]
      return place === undefined ? undefined : texts.at(place)
    },
  }
}
