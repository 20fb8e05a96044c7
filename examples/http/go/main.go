// Starts flows over HTTP with a client that is generated from the OpenAPI document:
//
//	go generate ./... && go run . http://127.0.0.1:8085 < flows.json
//
// Standard input is a list of starts, each {"flow", "wait", "input"}. The access token is in DOOR_TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/start-flows/door"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package door -o door/door.gen.go ../../../docs/reference/flows-openapi.json

type start struct {
	Flow  string                `json:"flow"`
	Wait  string                `json:"wait"`
	Input door.StartFlowRequest `json:"input"`
}

func main() {
	var starts []start
	check(json.NewDecoder(os.Stdin).Decode(&starts))
	client, err := door.NewClientWithResponses(os.Args[1], door.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("DOOR_TOKEN"))
			return nil
		}))
	check(err)
	for _, each := range starts {
		run(client, each)
	}
	listed, err := client.ListFlowsWithResponse(context.Background(), &door.ListFlowsParams{})
	check(err)
	require(listed.JSON200 != nil, "list", listed.Body)
	fmt.Println("listed")
}

// run starts one flow, reads its status, and cancels it unless it has ended.
func run(client *door.ClientWithResponses, each start) {
	ctx := context.Background()
	params := door.StartFlowParams{Wait: (*door.StartFlowParamsWait)(&each.Wait)}
	started, err := client.StartFlowWithResponse(ctx, each.Flow, &params, each.Input)
	check(err)
	if started.ApplicationproblemJSON422 != nil {
		fmt.Printf("%s: refused %s\n", each.Flow, started.ApplicationproblemJSON422.Code)
		return
	}
	require(started.JSON200 != nil, each.Flow, started.Body)
	result, err := started.JSON200.ValueByDiscriminator()
	check(err)
	switch result := result.(type) {
	case door.Booked:
		fmt.Printf("%s: booked %d\n", each.Flow, len(result.Shipments))
	case door.Ended:
		fmt.Printf("%s: ended %s\n", each.Flow, result.Result.Outcome)
		return
	}
	status, err := client.GetFlowWithResponse(ctx, each.Input.CaseNo, &door.GetFlowParams{})
	check(err)
	require(status.JSON200 != nil, each.Flow, status.Body)
	fmt.Printf("%s: status of %s\n", each.Flow, status.JSON200.Status.Flow)
	keep := door.DecideRequest{Decision: door.KeepWaiting}
	decided, err := client.DecideWithResponse(ctx, each.Input.CaseNo, &door.DecideParams{}, keep)
	check(err)
	require(decided.ApplicationproblemJSON422 != nil, each.Flow, decided.Body)
	fmt.Printf("%s: %s\n", each.Flow, decided.ApplicationproblemJSON422.Code)
	over := door.CancelFlowRequest{Reason: "over"}
	cancelled, err := client.CancelFlowWithResponse(ctx, each.Input.CaseNo, &door.CancelFlowParams{}, over)
	check(err)
	require(cancelled.JSON200 != nil, each.Flow, cancelled.Body)
	fmt.Printf("%s: %s\n", each.Flow, cancelled.JSON200.Outcome)
}

// require ends the program when a response is another one than expected.
func require(isExpected bool, flow string, body []byte) {
	if !isExpected {
		log.Fatalf("%s: %s", flow, body)
	}
}

func check(err error) {
	require(err == nil, "error", []byte(fmt.Sprint(err)))
}
