import { expectTypeOf, test } from 'vitest'
import type { Api } from '#api'
import type { OperationName } from '#contract'

// A statement about types: `npm run types` holds it.
test('the client calls every operation, but for the upload, which has a call of its own', () => {
  type Called = Parameters<Api['call']>[0]
  type Uploaded = Parameters<Api['upload']>[0]
  expectTypeOf<Exclude<OperationName, Called>>().toEqualTypeOf<Uploaded>()
  expectTypeOf<Uploaded>().toEqualTypeOf<'UploadAccountSuggestions'>()
})
