package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"example.com/start-flows/flowapi"
)

// run starts one flow, reads its status, cancels it unless it has ended, and reads its events.
func run(client *flowapi.ClientWithResponses, each start) {
	ctx := context.Background()
	params := flowapi.StartFlowParams{Wait: each.Wait}
	started, err := client.StartFlowWithResponse(ctx, each.Flow, &params, each.Input)
	check(err)
	if started.ApplicationproblemJSON422 != nil {
		fmt.Printf("%s: refused %s\n", each.Flow, started.ApplicationproblemJSON422.Code)
		return
	}
	if started.StatusCode() == http.StatusAccepted {
		fmt.Printf("%s: started\n", each.Flow)
	} else {
		require(started.JSON200 != nil, each.Flow, started.Body)
		result, err := started.JSON200.ValueByDiscriminator()
		check(err)
		switch result := result.(type) {
		case flowapi.Booked:
			fmt.Printf("%s: booked %d\n", each.Flow, len(result.Shipments))
		case flowapi.Ended:
			fmt.Printf("%s: ended %s\n", each.Flow, result.Result.Outcome)
			return
		}
	}
	status, err := client.GetFlowWithResponse(ctx, each.Input.CaseNo, &flowapi.GetFlowParams{})
	check(err)
	require(status.JSON200 != nil, each.Flow, status.Body)
	fmt.Printf("%s: status of %s\n", each.Flow, status.JSON200.Status.Flow)
	keep := flowapi.DecideRequest{Decision: flowapi.KeepWaiting}
	decided, err := client.DecideWithResponse(ctx, each.Input.CaseNo, &flowapi.DecideParams{}, keep)
	check(err)
	require(decided.ApplicationproblemJSON422 != nil, each.Flow, decided.Body)
	fmt.Printf("%s: %s\n", each.Flow, decided.ApplicationproblemJSON422.Code)
	for name, fields := range each.Calls {
		fmt.Printf("%s: %s\n", each.Flow, call(client, each.Input.CaseNo, name, fields))
		// A released or answered flow ends by itself.
		if name == "release" || name == "answer" {
			return
		}
	}
	reason := "over"
	over := flowapi.CancelFlowRequest{Reason: &reason}
	cancelled, err := client.CancelFlowWithResponse(ctx, each.Input.CaseNo, &flowapi.CancelFlowParams{}, over)
	check(err)
	require(cancelled.JSON200 != nil, each.Flow, cancelled.Body)
	end, err := cancelled.JSON200.AsCancelled()
	check(err)
	fmt.Printf("%s: %s\n", each.Flow, end.Outcome)
	events, err := client.WatchFlowWithResponse(ctx, each.Input.CaseNo, &flowapi.WatchFlowParams{})
	check(err)
	fmt.Printf("%s: %d end\n", each.Flow, strings.Count(string(events.Body), "event: Ended"))
}
