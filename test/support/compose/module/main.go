// Resolves compose files as `docker compose config --format json` does, by the library that docker compose reads them with.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

type paths []string

func (list *paths) String() string { return fmt.Sprint(*list) }

func (list *paths) Set(path string) error {
	*list = append(*list, path)
	return nil
}

func main() {
	var files, variables paths
	flag.Var(&files, "file", "a compose file; later ones override earlier ones")
	flag.Var(&variables, "env-file", "a file of variables")
	flag.Parse()
	text, err := resolve(files, variables)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(text)
}

func resolve(files, variables []string) ([]byte, error) {
	options, err := cli.NewProjectOptions(files,
		cli.WithEnvFiles(variables...),
		cli.WithDotEnv,
		cli.WithProfiles([]string{"*"}),
	)
	if err != nil {
		return nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return nil, err
	}
	return project.MarshalJSON()
}
