package main

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

type stock struct {
	Endpoint string `json:"endpoint"`
	CaseNo   string `json:"caseNo"`
	PupUid   string `json:"pupUid"`
}

type shipment struct {
	LockerName string `json:"lockerName"`
}

type ended struct {
	Outcome   string     `json:"outcome"`
	Shipments []shipment `json:"shipments"`
}

// BookStock books a locker, and returns its name, or the code with which the booking was refused.
func BookStock(ctx workflow.Context, order stock) (string, error) {
	var booked ended
	err := operate(ctx, order, "book").Get(ctx, &booked)
	if code := codeOf(err); code != "" {
		return code, nil
	}
	if err != nil {
		return "", err
	}
	return booked.Shipments[0].LockerName, nil
}

// RunStock runs a flow until its end. A cancelled workflow waits until the flow has freed its locker.
func RunStock(ctx workflow.Context, order stock) (string, error) {
	var run ended
	err := operate(ctx, order, "start").Get(ctx, &run)
	return run.Outcome, err
}

func operate(ctx workflow.Context, order stock, operation string) workflow.NexusOperationFuture {
	flows := workflow.NewNexusClient(order.Endpoint, "lockerflow")
	request := map[string]any{
		"PupUid": order.PupUid, "AllowLargerLockers": true, "AllowOverflowLockers": false,
		"Dimension": map[string]int{"width": 30, "height": 15, "length": 40},
	}
	input := map[string]any{"flow": "stock", "caseNo": order.CaseNo, "request": request}
	return flows.ExecuteOperation(ctx, operation, input, workflow.NexusOperationOptions{
		CancellationType: workflow.NexusOperationCancellationTypeWaitCompleted,
	})
}

// The innermost failure has the code. Those around it are of Nexus.
func codeOf(err error) string {
	code := ""
	for ; err != nil; err = errors.Unwrap(err) {
		failure, isFailure := err.(*temporal.ApplicationError)
		if isFailure && failure.Type() != "OperationError" && failure.Type() != "NexusFailure" {
			code = failure.Type()
		}
	}
	return code
}
