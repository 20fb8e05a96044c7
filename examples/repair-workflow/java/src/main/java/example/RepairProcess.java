package example;

import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.common.Priority;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A workflow of a team's own, with two flows of lockerflow as its children. See ../README.md. */
@WorkflowInterface
public interface RepairProcess {

  /**
   * @param customerUid from onboardAccount
   * @param flowsQueue the task queue of lockerflow's workers
   */
  record Order(String repairNo, String pupUid, String customerUid, int seconds, String flowsQueue) {}

  record LeftOver(String step, String shipmentUid, String reason) {}
  record Result(String outcome, String report, List<Object> leftOver) {}

  @WorkflowMethod(name = "repairProcess")
  Result run(Order order);

  class Process implements RepairProcess {
    private static final LeftOver IN_SHOP = new LeftOver("repair", null, "The device is in the shop.");
    private static final Set<String> AFTER_DROP_OFF = Set.of("ReadyForPickup", "Completed");

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
      String report = null;
      try {
        report = activity.repair(order.repairNo(), order.seconds());
        Map<String, Object> back = flow(order, "issue", "-back", "ToUserUid");
        Result result = toResult(back, report);
        if (!wasPutBack(back)) result.leftOver().add(IN_SHOP);
        return result;
      } catch (CanceledFailure cancelled) {
        return inShop(report);
      } catch (ActivityFailure | ChildWorkflowFailure failure) {
        if (failure.getCause() instanceof CanceledFailure) return inShop(report);
        throw failure;
      }
    }

    /** Runs a flow as a child. A cancelled parent waits until the flow has freed its lockers. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> flow(Order order, String name, String suffix, String user) {
      String caseNo = order.repairNo() + suffix;
      ChildWorkflowOptions options =
          ChildWorkflowOptions.newBuilder()
              .setWorkflowId("case:" + caseNo)
              .setTaskQueue(order.flowsQueue())
              .setPriority(Priority.newBuilder().setPriorityKey(2).setFairnessKey(order.pupUid()).build())
              .setCancellationType(ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED)
              // The default would terminate the flow, and leave its lockers booked.
              .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL)
              .setWorkflowIdReusePolicy(
                  WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY)
              .build();
      Map<String, Object> request =
          Map.of(
              "PupUid", order.pupUid(), user, order.customerUid(),
              "AllowLargerLockers", true, "AllowOverflowLockers", false,
              "Dimension", Map.of("width", 30, "height", 15, "length", 40));
      Map<String, Object> input = Map.of("caseNo", caseNo, "request", request);
      return Workflow.newUntypedChildWorkflowStub(name, options).execute(Map.class, input);
    }

    @SuppressWarnings("unchecked")
    private static Result toResult(Map<String, Object> ended, String report) {
      List<Object> leftOver = (List<Object>) ended.get("leftOver");
      return new Result((String) ended.get("outcome"), report, new ArrayList<>(leftOver));
    }

    /** The item of a shipment in one of these states was placed in its locker. */
    @SuppressWarnings("unchecked")
    private static boolean wasPutBack(Map<String, Object> back) {
      return ((List<Map<String, Object>>) back.get("shipments"))
          .stream().anyMatch(issue -> AFTER_DROP_OFF.contains((String) issue.get("stateCode")));
    }

    private static Result inShop(String report) {
      return new Result("cancelled", report, List.of(IN_SHOP));
    }
  }
}
