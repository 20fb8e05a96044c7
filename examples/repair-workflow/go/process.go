package main

import (
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

type order struct {
	RepairNo    string `json:"repairNo"`
	PupUid      string `json:"pupUid"`
	CustomerUid string `json:"customerUid"` // From onboardAccount.
	Seconds     int    `json:"seconds"`
	FlowsQueue  string `json:"flowsQueue"` // The task queue of lockerflow's workers.
}

type leftOver struct {
	Step        string  `json:"step"`
	ShipmentUid *string `json:"shipmentUid"`
	Reason      string  `json:"reason"`
}

type result struct {
	Outcome  string     `json:"outcome"`
	Report   *string    `json:"report"`
	LeftOver []leftOver `json:"leftOver"`
}

type shipment struct {
	StateCode string `json:"stateCode"`
}

type ended struct {
	result
	Shipments []shipment `json:"shipments"`
}

var inShop = leftOver{Step: "repair", Reason: "The device is in the shop."}

// RepairProcess has two flows of lockerflow as its children.
func RepairProcess(ctx workflow.Context, repair order) (result, error) {
	intake, err := flow(ctx, repair, "intake", "-in", "FromUserUid")
	if err != nil || intake.Outcome != "completed" {
		return intake.result, err
	}
	var report *string
	working := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 24 * time.Hour, HeartbeatTimeout: 2 * time.Second})
	err = workflow.ExecuteActivity(working, "repair", work{repair.RepairNo, repair.Seconds}).Get(ctx, &report)
	back := ended{}
	if err == nil {
		back, err = flow(ctx, repair, "issue", "-back", "ToUserUid")
	}
	if temporal.IsCanceledError(err) {
		return result{Outcome: "cancelled", Report: report, LeftOver: []leftOver{inShop}}, nil
	}
	back.Report = report
	if !slices.ContainsFunc(back.Shipments, wasDroppedOff) {
		back.LeftOver = append(back.LeftOver, inShop)
	}
	return back.result, err
}

func wasDroppedOff(issue shipment) bool {
	return issue.StateCode == "ReadyForPickup" || issue.StateCode == "Completed"
}

// Runs a flow as a child. When the parent is cancelled, the flow frees its lockers, and the parent waits for that.
func flow(ctx workflow.Context, repair order, name, suffix, user string) (end ended, err error) {
	caseNo := repair.RepairNo + suffix
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:          "case:" + caseNo,
		TaskQueue:           repair.FlowsQueue,
		Priority:            temporal.Priority{PriorityKey: 2, FairnessKey: repair.PupUid},
		WaitForCancellation: true,
		// The default would terminate the flow, and leave its lockers booked.
		ParentClosePolicy:     enums.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
	})
	request := map[string]any{
		"PupUid": repair.PupUid, user: repair.CustomerUid, "AllowLargerLockers": true, "AllowOverflowLockers": false,
		"Dimension": map[string]int{"width": 30, "height": 15, "length": 40},
	}
	err = workflow.ExecuteChildWorkflow(ctx, name, map[string]any{"caseNo": caseNo, "request": request}).Get(ctx, &end)
	return end, err
}
