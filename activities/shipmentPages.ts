import type { RequestOf, ShipmentItem } from '#contract'
import { type Api, ApiRefusal } from '#contract/client'

/** Shipments of a page that is never too large for the service. */
export const safePageSize = 10

/**
 * Reads the pages of a search one after the other. After a page with too many objects, pages are smaller. A shipment that
 * moves to a later page meanwhile is returned once: a flow would take the second one for a duplicate booking, and cancel it.
 * @param pageSize a multiple of 10
 */
export async function* readShipmentPages(
  api: Api,
  search: RequestOf<'GetShipments'>,
  pageSize: number,
): AsyncGenerator<readonly ShipmentItem[]> {
  let size = pageSize
  const seen = new Set<string>()
  for (let pageNo = 1; ; pageNo++) {
    const page = await api.call('GetShipments', { ...search, pageNo, pageSize: size }).catch((error: unknown) => {
      if (size > safePageSize && error instanceof ApiRefusal && error.code === 'PageTooLarge') return undefined
      throw error
    })
    if (page === undefined) {
      pageNo = ((pageNo - 1) * size) / safePageSize
      size = safePageSize
      continue
    }
    yield page.items.filter(({ shipmentUid }) => !seen.has(shipmentUid))
    for (const { shipmentUid } of page.items) seen.add(shipmentUid)
    if (pageNo >= page.totalPages || page.items.length === 0) return
  }
}
