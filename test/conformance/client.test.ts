import { expectTypeOf, test } from 'vitest'
import type { Api } from '#api'
import type { OperationName } from '#contract'

// A statement about types: `npm run types` holds it.
test('the client names every operation but the upload', () => {
  type Called = Parameters<Api['call']>[0]
  expectTypeOf<Exclude<OperationName, Called>>().toEqualTypeOf<'UploadAccountSuggestions'>()
})
