package example;

import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A workflow of a team's own, with two flows of lockerflow as its children. See ../README.md. */
@WorkflowInterface
public interface RepairProcess {

  /**
   * @param customerUid from onboardAccount
   * @param flowsQueue the task queue of lockerflow's workers
   */
  record Order(String repairNo, String pupUid, String customerUid, int seconds, String flowsQueue) {}

  record Result(String outcome, String report, List<Map<String, Object>> leftOver) {}

  @WorkflowMethod(name = "repairProcess")
  Result run(Order order);

  class Process implements RepairProcess {
    private final RepairActivity activity =
        Workflow.newActivityStub(
            RepairActivity.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofDays(1))
                .setHeartbeatTimeout(Duration.ofSeconds(2))
                .build());

    @Override
    public Result run(Order order) {
      Map<String, Object> intake = flow(order, "intake", "-in", "FromUserUid");
      if (!"completed".equals(intake.get("outcome"))) return toResult(intake, null);
      String report;
      try {
        report = activity.repair(order.repairNo(), order.seconds());
      } catch (CanceledFailure cancelled) {
        return inShop();
      } catch (ActivityFailure failure) {
        if (failure.getCause() instanceof CanceledFailure) return inShop();
        throw failure;
      }
      return toResult(flow(order, "issue", "-back", "ToUserUid"), report);
    }

    /** Runs a flow as a child. A cancelled parent waits until the flow has freed its lockers. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> flow(Order order, String name, String suffix, String user) {
      String caseNo = order.repairNo() + suffix;
      ChildWorkflowOptions options =
          ChildWorkflowOptions.newBuilder()
              .setWorkflowId("case:" + caseNo)
              .setTaskQueue(order.flowsQueue())
              .setCancellationType(ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED)
              // The default would terminate the flow, and leave its lockers booked.
              .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL)
              .setWorkflowIdReusePolicy(
                  WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY)
              .build();
      Map<String, Object> request =
          Map.of(
              "PupUid", order.pupUid(),
              user, order.customerUid(),
              "AllowLargerLockers", true,
              "AllowOverflowLockers", false,
              "Dimension", Map.of("width", 30, "height", 15, "length", 40));
      Map<String, Object> input = Map.of("caseNo", caseNo, "request", request);
      return Workflow.newUntypedChildWorkflowStub(name, options).execute(Map.class, input);
    }

    @SuppressWarnings("unchecked")
    private static Result toResult(Map<String, Object> ended, String report) {
      return new Result(
          (String) ended.get("outcome"), report, (List<Map<String, Object>>) ended.get("leftOver"));
    }

    private static Result inShop() {
      return new Result(
          "cancelled", null, List.of(Map.of("step", "repair", "reason", "The device is in the shop.")));
    }
  }
}
