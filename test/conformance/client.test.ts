import { expectTypeOf, test } from 'vitest'
import type { OperationName } from '#contract'
import type { Api } from '#contract/client'

// An assertion about types, checked by `npm run types`.
test('the client calls every operation except the upload, which has its own method', () => {
  type Called = Parameters<Api['call']>[0]
  type Uploaded = Parameters<Api['upload']>[0]
  expectTypeOf<Exclude<OperationName, Called>>().toEqualTypeOf<Uploaded>()
  expectTypeOf<Uploaded>().toEqualTypeOf<'UploadAccountSuggestions'>()
})
