/** A row of any kind of file. */
export interface RawRow {
  /** The number of the row in the file, from 1. */
  readonly row: number
  /** Trimmed texts; a spreadsheet leaves out what is empty at the end. */
  readonly cells: readonly string[]
  /** Whether fewer cells than columns are a mistake: in a text a separator is missing, in a spreadsheet nothing is. */
  readonly exact: boolean
}
