package example;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

@ActivityInterface
public interface RepairActivity {

  /** Works for the given seconds. A cancelled workflow interrupts it at a heartbeat. */
  @ActivityMethod(name = "repair")
  String repair(String repairNo, int seconds);

  class Bench implements RepairActivity {
    @Override
    public String repair(String repairNo, int seconds) {
      for (int done = 0; done < seconds; done++) {
        try {
          Thread.sleep(1_000);
        } catch (InterruptedException stopped) {
          throw Activity.wrap(stopped);
        }
        Activity.getExecutionContext().heartbeat(done);
      }
      return repairNo + " works again";
    }
  }
}
