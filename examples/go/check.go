package main

import (
	"errors"
	"fmt"
	"os"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/temporal"
)

// Exits with a line that begins with the error's code.
func check(err error) {
	var refusal *temporal.ApplicationError
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	switch {
	case err == nil:
		return
	case errors.As(err, &refusal):
		fmt.Fprintf(os.Stderr, "%s: %s\n", refusal.Type(), refusal.Message())
	case errors.As(err, &started):
		fmt.Fprintln(os.Stderr, "CaseFinished: the case was started before and has ended.")
	default:
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(1)
}
