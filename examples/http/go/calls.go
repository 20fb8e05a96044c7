package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"example.com/start-flows/flowapi"
)

const jsonType = "application/json"

// response is a part of each generated response.
type response interface{ StatusCode() int }

// operations are those that "calls" can name. Each returns its response and the body of it.
var operations = map[string]func(client *flowapi.ClientWithResponses, caseNo string, fields []byte) (response, []byte){
	"answer": func(client *flowapi.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		body := strings.NewReader(string(fields))
		params := &flowapi.AnswerParams{}
		result, err := client.AnswerWithBodyWithResponse(context.Background(), caseNo, params, jsonType, body)
		check(err)
		return result, result.Body
	},
	"assignReceiver": func(client *flowapi.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		var body flowapi.AssignReceiverRequest
		check(json.Unmarshal(fields, &body))
		result, err := client.AssignReceiverWithResponse(context.Background(), caseNo, &flowapi.AssignReceiverParams{}, body)
		check(err)
		return result, result.Body
	},
	"decide": func(client *flowapi.ClientWithResponses, caseNo string, fields []byte) (response, []byte) {
		var body flowapi.DecideRequest
		check(json.Unmarshal(fields, &body))
		result, err := client.DecideWithResponse(context.Background(), caseNo, &flowapi.DecideParams{}, body)
		check(err)
		return result, result.Body
	},
	"release": func(client *flowapi.ClientWithResponses, caseNo string, _ []byte) (response, []byte) {
		result, err := client.ReleaseWithResponse(context.Background(), caseNo, &flowapi.ReleaseParams{})
		check(err)
		return result, result.Body
	},
}

// call calls an operation, again while the flow refuses it: the flow may not have come to its step yet.
func call(client *flowapi.ClientWithResponses, caseNo, name string, fields []byte) string {
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
