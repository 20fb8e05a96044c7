// Workflows of another team, in a namespace of their own, that call the flows by Nexus. See ../README.md.
package main

import (
	"cmp"
	"fmt"
	"log"
	"os"

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
	queue := cmp.Or(os.Getenv("SHOP_TASK_QUEUE"), "shop")
	shop := worker.New(temporal, queue, worker.Options{})
	shop.RegisterWorkflowWithOptions(BookStock, workflow.RegisterOptions{Name: "bookStock"})
	shop.RegisterWorkflowWithOptions(RunStock, workflow.RegisterOptions{Name: "runStock"})
	if err := shop.Start(); err != nil {
		log.Fatalln(err)
	}
	fmt.Println("worker ready: task queue", queue)
	<-worker.InterruptCh()
	shop.Stop()
}
