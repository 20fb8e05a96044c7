// Starts flows over HTTP with a client that is generated from the OpenAPI document:
//
//	go generate ./... && go run . http://127.0.0.1:8085 < flows.json
//
// Standard input is a list of starts, each {"flow", "input"}, with "wait" if it waits for the booking or the end,
// and "calls", the fields of an operation by its name, if it is to be called before the flow is cancelled. The access
// token is in FLOW_API_TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/start-flows/flowapi"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package flowapi -o flowapi/flowapi.gen.go ../../../docs/reference/flows-openapi.json

type start struct {
	Flow  string                       `json:"flow"`
	Wait  *flowapi.StartFlowParamsWait `json:"wait"`
	Input flowapi.StartFlowRequest     `json:"input"`
	Calls map[string]json.RawMessage   `json:"calls"`
}

func main() {
	var starts []start
	check(json.NewDecoder(os.Stdin).Decode(&starts))
	client, err := flowapi.NewClientWithResponses(os.Args[1], flowapi.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("FLOW_API_TOKEN"))
			return nil
		}))
	check(err)
	for _, each := range starts {
		run(client, each)
	}
	listed, err := client.ListFlowsWithResponse(context.Background(), &flowapi.ListFlowsParams{})
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

// require ends the program when a response is another one than expected.
func require(isExpected bool, flow string, body []byte) {
	if !isExpected {
		log.Fatalf("%s: %s", flow, body)
	}
}

func check(err error) {
	require(err == nil, "error", []byte(fmt.Sprint(err)))
}
