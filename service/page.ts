interface Asked {
  /** From 1. */
  readonly pageNo: number
  readonly pageSize: number
}

interface Page {
  readonly offset: number
  readonly count: Asked & { readonly totalItems: number; readonly totalPages: number }
}

/** Where a page starts and what its answer says about all of them; a page past the end is empty, not a fault. */
export function pageOf({ pageNo, pageSize }: Asked, totalItems: number): Page {
  return {
    offset: (pageNo - 1) * pageSize,
    count: { pageNo, pageSize, totalItems, totalPages: Math.ceil(totalItems / pageSize) },
  }
}
