interface PageRequest {
  /** The first page has number 1. */
  readonly pageNo: number
  readonly pageSize: number
}

interface Page {
  readonly offset: number
  readonly count: PageRequest & { readonly totalItems: number; readonly totalPages: number }
}

/** Computes the offset of a page and the counts of its response. A page past the end is empty and no error. */
export function toPage({ pageNo, pageSize }: PageRequest, totalItems: number): Page {
  return {
    offset: (pageNo - 1) * pageSize,
    count: { pageNo, pageSize, totalItems, totalPages: Math.ceil(totalItems / pageSize) },
  }
}
