import { verbs } from '../../../cli/verbs.ts'

/**
 * The words of a verb's example after `lockerflow`, without the quotes of the shell.
 * @param replaced words that stand for something of a test, such as a file or a case number
 */
export function exampleOf(name: string, replaced: Readonly<Record<string, string>> = {}): string[] {
  const example = verbs.find(verb => verb.name === name)?.example ?? ''
  const [, line = ''] = /(?:^|\| )lockerflow (.*)$/.exec(example) ?? []
  const words = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
  return words.map(word => replaced[word] ?? word)
}
