import { parser } from '@prometheus-io/lezer-promql'

/** A query of Prometheus, as Prometheus' own grammar reads it. */
export interface Query {
  /** The texts that the grammar does not accept. */
  readonly faults: readonly string[]
  /** The metrics with the labels of their selectors. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[]
  /** The labels by which aggregations group. */
  readonly groupedBy: readonly string[]
}

export function parseQuery(text: string): Query {
  const faults: string[] = []
  const selectors: { metric: string; labels: string[] }[] = []
  const groupedBy: string[] = []
  let isGrouping = false
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      const word = text.slice(from, to)
      if (type.isError) faults.push(text.slice(from))
      if (name === 'GroupingLabels') isGrouping = true
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: [] })
      const last = selectors.at(-1)
      if (name === 'Identifier' && last !== undefined) last.metric ||= word
      if (name === 'LabelName') (isGrouping ? groupedBy : last?.labels)?.push(word)
    },
    leave({ name }) {
      if (name === 'GroupingLabels') isGrouping = false
    },
  })
  return { faults, selectors, groupedBy }
}
