// Runs the workflow and its activity on a task queue of its own. See ../README.md.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

func main() {
	temporal, err := client.Dial(envconfig.MustLoadDefaultClientOptions())
	if err != nil {
		log.Fatalln(err)
	}
	defer temporal.Close()
	queue := cmp.Or(os.Getenv("REPAIR_TASK_QUEUE"), "repairs")
	repairs := worker.New(temporal, queue, worker.Options{})
	repairs.RegisterWorkflowWithOptions(RepairProcess, workflow.RegisterOptions{Name: "repairProcess"})
	repairs.RegisterActivityWithOptions(repair, activity.RegisterOptions{Name: "repair"})
	if err := repairs.Start(); err != nil {
		log.Fatalln(err)
	}
	fmt.Println("worker ready: task queue", queue)
	<-worker.InterruptCh()
	repairs.Stop()
}

type work struct {
	RepairNo string `json:"repairNo"`
	Seconds  int    `json:"seconds"`
}

// Works for the given seconds. A cancelled workflow interrupts it at a heartbeat.
func repair(ctx context.Context, order work) (string, error) {
	for done := range order.Seconds {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(time.Second):
			activity.RecordHeartbeat(ctx, done)
		}
	}
	return order.RepairNo + " works again", nil
}
