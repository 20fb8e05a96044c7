package example;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;

/** Runs the workflow and its activity on a task queue of its own. See ../README.md. */
public final class RepairWorker {

  public static void main(String[] args) {
    String queue = variable("REPAIR_TASK_QUEUE", "repairs");
    WorkflowServiceStubs service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(variable("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
                .build());
    WorkflowClient client =
        WorkflowClient.newInstance(
            service,
            WorkflowClientOptions.newBuilder()
                .setNamespace(variable("TEMPORAL_NAMESPACE", "default"))
                .build());
    WorkerFactory factory = WorkerFactory.newInstance(client);
    Worker worker = factory.newWorker(queue);
    worker.registerWorkflowImplementationTypes(RepairProcess.Process.class);
    worker.registerActivitiesImplementations(new RepairActivity.Bench());
    factory.start();
    System.out.println("worker ready: task queue " + queue);
    Runtime.getRuntime().addShutdownHook(new Thread(factory::shutdownNow));
  }

  private static String variable(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }
}
