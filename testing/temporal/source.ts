/** Receives each line that reports the progress of a long task. */
export type Progress = (line: string) => void

export type SourceContext = { cacheFolder: string; progress: Progress }

/** A way to get the Temporal command. */
export type Source = {
  title: string
  /**
   * Returns a command that was probed.
   * @throws Error with the reason if this way fails
   */
  find(context: SourceContext): Promise<string>
}
