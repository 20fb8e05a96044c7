// Starts flows over HTTP with a client that is generated from the OpenAPI document:
//
//	go generate ./... && go run . http://127.0.0.1:8085 < flows.json
//
// Standard input is a list of starts, each {"flow", "input"}, with "wait" if the start waits for the booking or the end, and
// "calls", the fields of an operation by its name, if it is to be called before the flow is cancelled. The access token is
// in DOOR_TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/start-flows/door"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package door -o door/door.gen.go ../../../docs/reference/flows-openapi.json

type start struct {
	Flow  string                     `json:"flow"`
	Wait  *door.StartFlowParamsWait  `json:"wait"`
	Input door.StartFlowRequest      `json:"input"`
	Calls map[string]json.RawMessage `json:"calls"`
}

// response is what the generated responses have in common.
type response interface{ StatusCode() int }

// operations are those that "calls" can name. Each returns its response and the body of it.
var operations = map[string]func(client *door.ClientWithResponses, caseNo string, fields []byte) (response, []byte){
	"answer": func(client *door.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		body := strings.NewReader(string(fields))
		result, err := client.AnswerWithBodyWithResponse(context.Background(), caseNo, &door.AnswerParams{}, jsonType, body)
		check(err)
		return result, result.Body
	},
	"assignReceiver": func(client *door.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		var body door.AssignReceiverRequest
		check(json.Unmarshal(fields, &body))
		result, err := client.AssignReceiverWithResponse(context.Background(), caseNo, &door.AssignReceiverParams{}, body)
		check(err)
		return result, result.Body
	},
	"decide": func(client *door.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		var body door.DecideRequest
		check(json.Unmarshal(fields, &body))
		result, err := client.DecideWithResponse(context.Background(), caseNo, &door.DecideParams{}, body)
		check(err)
		return result, result.Body
	},
	"release": func(client *door.ClientWithResponses, caseNo string, _ []byte) (response, []byte) {
		result, err := client.ReleaseWithResponse(context.Background(), caseNo, &door.ReleaseParams{})
		check(err)
		return result, result.Body
	},
}

const jsonType = "application/json"

// call calls an operation, again while the flow refuses it: the flow may not have come to its step yet.
func call(client *door.ClientWithResponses, caseNo, name string, fields []byte) string {
	for tries := 0; ; tries++ {
		result, body := operations[name](client, caseNo, fields)
		if result.StatusCode() == http.StatusOK {
			var read struct{ Kind string }
			check(json.Unmarshal(body, &read))
			return read.Kind
		}
		require(result.StatusCode() == http.StatusUnprocessableEntity && tries < 100, name, body)
		time.Sleep(200 * time.Millisecond)
	}
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
	_, err = client.LiveWithResponse(context.Background())
	check(err)
	ready, err := client.ReadyWithResponse(context.Background())
	check(err)
	require(ready.StatusCode() == http.StatusOK, "ready", ready.Body)
	fmt.Println("ready")
}

// run starts one flow, reads its status, cancels it unless it has ended, and reads its events.
func run(client *door.ClientWithResponses, each start) {
	ctx := context.Background()
	params := door.StartFlowParams{Wait: each.Wait}
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
		case door.Booked:
			fmt.Printf("%s: booked %d\n", each.Flow, len(result.Shipments))
		case door.Ended:
			fmt.Printf("%s: ended %s\n", each.Flow, result.Result.Outcome)
			return
		}
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
	for name, fields := range each.Calls {
		fmt.Printf("%s: %s\n", each.Flow, call(client, each.Input.CaseNo, name, fields))
		// A released or answered flow ends by itself.
		if name == "release" || name == "answer" {
			return
		}
	}
	over := door.CancelFlowRequest{Reason: "over"}
	cancelled, err := client.CancelFlowWithResponse(ctx, each.Input.CaseNo, &door.CancelFlowParams{}, over)
	check(err)
	require(cancelled.JSON200 != nil, each.Flow, cancelled.Body)
	fmt.Printf("%s: %s\n", each.Flow, cancelled.JSON200.Outcome)
	events, err := client.WatchFlowWithResponse(ctx, each.Input.CaseNo, &door.WatchFlowParams{})
	check(err)
	fmt.Printf("%s: %d end\n", each.Flow, strings.Count(string(events.Body), "event: Ended"))
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
