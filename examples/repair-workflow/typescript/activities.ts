import { Context } from '@temporalio/activity'

/** Works for the given seconds. A cancelled workflow interrupts it at a heartbeat. */
export async function repair({ repairNo, seconds }: { repairNo: string; seconds: number }): Promise<string> {
  const context = Context.current()
  for (let done = 0; done < seconds; done++) {
    await context.sleep(1_000)
    context.heartbeat(done)
  }
  return `${repairNo} works again`
}
