import { createTexts, type Texts } from './texts.ts'
import { parseXml } from './xml.ts'

/** Reads the texts that cells refer to by their index. The runs of a formatted text are joined, without its pronunciation. */
export async function readSharedStrings(part: AsyncIterable<Uint8Array>): Promise<Texts> {
  const texts = createTexts()
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
      if (name === 'si') texts.push(item)
    },
    text(text) {
      if (inText) item += text
    },
  })
  for await (const _ of parsing);
  return texts
}
