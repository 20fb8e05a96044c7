// Starts a flow, decides after a window has passed, and prints the result. See ../README.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
)

func main() {
	flag.Parse()
	ctx, input := context.Background(), map[string]any{}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	temporal, err := client.Dial(withCodec(envconfig.MustLoadDefaultClientOptions()))
	check(err)
	for _, shipment := range start(ctx, temporal, flag.Arg(0), input) {
		fmt.Printf("booked: %s in locker %s at %s\n", shipment.Role, shipment.LockerName, shipment.PupUid)
	}
	status := struct{ State, Stage string }{State: "booking"}
	for status.State == "booking" || status.State == "waiting" {
		time.Sleep(500 * time.Millisecond)
		answer, err := temporal.QueryWorkflow(ctx, workflowID(input), "", "status")
		check(err)
		check(answer.Get(&status))
	}
	if status.State == "overdue" {
		fmt.Println("status: overdue in", status.Stage)
		decision := map[string]string{"decision": flag.Arg(1)}
		if flag.NArg() > 2 {
			decision["by"] = flag.Arg(2)
		}
		update, err := temporal.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{WorkflowID: workflowID(input),
			UpdateName: "decide", Args: []any{decision}, WaitForStage: client.WorkflowUpdateStageCompleted})
		check(err)
		check(update.Get(ctx, nil))
		fmt.Println("decided:", flag.Arg(1))
	}
	var result json.RawMessage
	check(temporal.GetWorkflow(ctx, workflowID(input), "").Get(ctx, &result))
	fmt.Printf("result: %s\n", result)
}
