import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './kubectl.js';

/** An object of a manifest, as it is in the file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

interface Schema {
  /** Throws an Error with what is wrong: a missing or wrong value. */
  readonly check: (manifest: Manifest) => void;
  /** Module that has the type of the same name, with an I before it. */
  readonly module: string;
}

function schema(model: new (data: never) => { validate(): void }, module: string): Schema {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema finds out whether it is one
  return { check: (manifest) => new model(manifest as never).validate(), module };
}

const SCHEMAS = new Map([
  ['v1 ConfigMap', schema(ConfigMap, 'kubernetes-models/v1')],
  ['v1 Namespace', schema(Namespace, 'kubernetes-models/v1')],
  ['v1 PersistentVolumeClaim', schema(PersistentVolumeClaim, 'kubernetes-models/v1')],
  ['v1 Secret', schema(Secret, 'kubernetes-models/v1')],
  ['v1 Service', schema(Service, 'kubernetes-models/v1')],
  ['apps/v1 Deployment', schema(Deployment, 'kubernetes-models/apps/v1')],
  ['autoscaling/v2 HorizontalPodAutoscaler', schema(HorizontalPodAutoscaler, 'kubernetes-models/autoscaling/v2')],
  ['batch/v1 CronJob', schema(CronJob, 'kubernetes-models/batch/v1')],
  ['networking.k8s.io/v1 NetworkPolicy', schema(NetworkPolicy, 'kubernetes-models/networking.k8s.io/v1')],
  ['policy/v1 PodDisruptionBudget', schema(PodDisruptionBudget, 'kubernetes-models/policy/v1')],
  ['keda.sh/v1alpha1 ScaledObject', schema(ScaledObject, '@kubernetes-models/keda/keda.sh/v1alpha1')],
  ['postgresql.cnpg.io/v1 Cluster', schema(Cluster, '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1')],
]);

function schemaOf({ apiVersion, kind }: Manifest): Schema {
  const found = SCHEMAS.get(`${apiVersion} ${kind}`);
  if (found === undefined) throw new Error(`there is no schema for ${apiVersion} ${kind}`);
  return found;
}

/** What the schemas of Kubernetes, KEDA and CloudNativePG find wrong; they allow fields that they do not know. */
export function schemaProblems(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    try {
      schemaOf(manifest).check(manifest);
      return [];
    } catch (error) {
      return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
    }
  });
}

/** Fields that Kubernetes does not know, which the compiler finds by the types of the same schemas. */
export function unknownFields(manifests: readonly Manifest[]): string[] {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'manifests-'));
  try {
    const lines = manifests.map((manifest, index) => {
      const type = `import('${schemaOf(manifest).module}').I${manifest.kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
    });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(folder, 'manifests.ts'), `${lines.join('\n')}\n`);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, ...options, '--types', 'node', 'manifests.ts'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
