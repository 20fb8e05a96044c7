package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

type shipment struct{ Role, LockerName, PupUid string }

func workflowID(input map[string]any) string { return fmt.Sprint("case:", input["caseNo"]) }

func priority(flow string, request any) temporal.Priority {
	fields, _ := request.(map[string]any)
	pup, _ := fields["PupUid"].(string)
	return temporal.Priority{PriorityKey: 2, FairnessKey: cmp.Or(pup, flow)} // Pick up points share workers equally.
}

// Starts a flow, or finds the one that an earlier run started, and waits until it is booked.
func start(ctx context.Context, temporal client.Client, flow string, input map[string]any) []shipment {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	operation := temporal.NewWithStartWorkflowOperation(client.StartWorkflowOptions{
		ID:                       workflowID(input),
		TaskQueue:                cmp.Or(os.Getenv("LOCKERFLOW_TASK_QUEUE"), "lockerflow"),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
		StaticSummary:            flow + ", from the Go example",
		Priority:                 priority(flow, input["request"]),
	}, flow, input)
	update, err := temporal.UpdateWithStartWorkflow(ctx, client.UpdateWithStartWorkflowOptions{
		StartWorkflowOperation: operation,
		UpdateOptions: client.UpdateWorkflowOptions{
			UpdateName:   "waitForBooking",
			Args:         []any{map[string]any{"flow": flow, "request": input["request"]}},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		},
	})
	check(err)
	var booked struct{ Shipments []shipment }
	check(update.Get(ctx, &booked))
	return booked.Shipments
}
