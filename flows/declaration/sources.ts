/** A value that JSON can represent: everything that a history records. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json }

/**
 * The place of a value: `input.PupUid` (a field of the flow's input), `quote.cents` (a field of a step's output), or
 * `stock.shipmentUid` (the shipment of a role). Steps with outputs and roles share one name space; `input`, `end` and
 * `now` are reserved.
 */
export type Path = `${string}.${string}`

/**
 * The value of a request, or of a part of it: a literal, a value by its path, an object or a list of sources, or several
 * objects merged into one, the later ones over the earlier. `value` quotes an object that has such a key itself. An
 * absent value leaves its field out of an object; `or` replaces an absent value, or null.
 */
export type Source =
  | string
  | number
  | boolean
  | null
  | { readonly from: Path; readonly or?: Json }
  | { readonly value: Json }
  | { readonly merge: readonly Source[] }
  | { readonly [field: string]: Source }
  | readonly Source[]

/**
 * A condition: all of its entries must be true. A comparison with an absent value is false, except that an absent value
 * equals null, and false, as an absent flag of a request does. Null equals false too, and is not present.
 */
export type When =
  | Readonly<Record<Path, Comparison>>
  | { readonly any: readonly When[] }
  | { readonly all: readonly When[] }
  | { readonly not: When }

/**
 * A bare value means equality. `lessThan`, `moreThan`, `atMost` and `atLeast` compare two numbers, or two moments. A list
 * `contains` a value.
 */
export type Comparison =
  | string
  | number
  | boolean
  | null
  | { readonly is: Source }
  | { readonly not: Source }
  | { readonly in: readonly Json[] }
  | { readonly present: boolean }
  | { readonly lessThan: Source }
  | { readonly moreThan: Source }
  | { readonly atMost: Source }
  | { readonly atLeast: Source }
  | { readonly contains: Source }
