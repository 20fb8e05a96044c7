// Renders a template as the entrypoint of Temporal's image does: .Env contains the environment, and `default` returns
// its first argument if the second is empty. Usage: renderTemplate template
package main

import (
	"os"
	"strings"
	"text/template"
)

func main() {
	environment := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		environment[name] = value
	}
	functions := template.FuncMap{
		// An unset variable is nil.
		"default": func(value, otherwise any) any {
			if value == nil || value == "" {
				return otherwise
			}
			return value
		},
		"lower": strings.ToLower,
		"split": strings.Split,
		"trim":  strings.TrimSpace,
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed := template.Must(template.New("config").Funcs(functions).Parse(string(text)))
	if err := parsed.Execute(os.Stdout, map[string]any{"Env": environment}); err != nil {
		panic(err)
	}
}
