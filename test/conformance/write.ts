// The part of `npm run docs` that is made from the tests, which no other code may import.
import { writeFile } from 'node:fs/promises'
import { conformancePage } from './page.ts'

await writeFile(new URL('../../docs/reference/conformance.md', import.meta.url), conformancePage())
console.log('docs/reference/conformance.md')
