// Builds a folder of manifests as `kubectl kustomize` does, and prints its objects. Each is read with the types of Kubernetes,
// so an unknown field is a fault. Pods are compared with the Pod Security Standard `restricted`.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	disruption "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type fault struct {
	Object string `json:"object"`
	Reason string `json:"reason"`
}

func main() {
	objects, faults, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	text, err := json.Marshal(map[string]any{"objects": objects, "faults": faults})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(text)
}

func read(folder string) ([]map[string]any, []fault, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, batch.AddToScheme, core.AddToScheme, disruption.AddToScheme, networking.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, nil, err
		}
	}
	strict := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Yaml: true, Strict: true})
	security, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return nil, nil, err
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}

	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, nil, err
	}
	objects, faults := []map[string]any{}, []fault{}
	for _, resource := range built.Resources() {
		name := resource.GetKind() + " " + resource.GetName()
		text, err := resource.AsYAML()
		if err != nil {
			return nil, nil, err
		}
		object, err := resource.Map()
		if err != nil {
			return nil, nil, err
		}
		objects = append(objects, object)
		decoded, _, err := strict.Decode(text, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			// A kind of an operator. Only its pods are known here.
			spec, _ := object["spec"].(map[string]any)
			if spec["template"] == nil {
				continue
			}
			pods := map[string]any{"template": spec["template"]}
			text, err = json.Marshal(map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "spec": pods})
			if err != nil {
				return nil, nil, err
			}
			decoded, _, err = strict.Decode(text, nil, nil)
		}
		if err != nil {
			faults = append(faults, fault{name, err.Error()})
			continue
		}
		if pod := podOf(decoded); pod != nil {
			for _, result := range security.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec) {
				if !result.Allowed {
					faults = append(faults, fault{name, result.ForbiddenReason + ": " + result.ForbiddenDetail})
				}
			}
		}
	}
	return objects, faults, nil
}

func podOf(object runtime.Object) *core.PodTemplateSpec {
	switch typed := object.(type) {
	case *apps.Deployment:
		return &typed.Spec.Template
	case *batch.Job:
		return &typed.Spec.Template
	case *batch.CronJob:
		return &typed.Spec.JobTemplate.Spec.Template
	}
	return nil
}
