import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ensureKubectl, render, root } from './kubectl.js';
import type { Manifest } from './kubernetes-schemas.js';

interface Source {
  readonly name: string;
  readonly key?: string;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: Source; readonly configMapKeyRef?: Source };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: Source }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly securityContext?: unknown;
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly enableServiceLinks?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: unknown;
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly configMap?: Source;
  }[];
}

export interface Deployment extends Manifest {
  readonly spec: {
    readonly template: { readonly metadata: Manifest['metadata']; readonly spec: PodSpec };
  };
}

export interface CronJob extends Manifest {
  readonly spec: { readonly jobTemplate: Pick<Deployment, 'spec'> };
}

export const OVERLAYS = ['deploy/kubernetes/overlays/small', 'deploy/kubernetes/overlays/cluster'];
/** Those that no overlay includes by itself. */
const COMPONENTS = ['deploy/kubernetes/components/subscribers', 'deploy/kubernetes/components/backup'];

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** What an overlay renders; with the components that are left to the operator when asked for. */
export async function overlayManifests(overlay: string, withComponents = false): Promise<Manifest[]> {
  const kubectl = await ensureKubectl();
  if (!withComponents) return parseManifests(render(kubectl, overlay));
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'overlay-'));
  try {
    const file = {
      resources: [relative(folder, join(root, overlay))],
      components: COMPONENTS.map((component) => relative(folder, join(root, component))),
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify({ namespace: 'ringdown', ...file }));
    return parseManifests(render(kubectl, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Jobs that run at times. */
export function cronJobsOf(manifests: readonly Manifest[]): CronJob[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked by another test
  return manifests.filter(({ kind }) => kind === 'CronJob') as CronJob[];
}

export function deploymentManifests(manifests: readonly Manifest[]): Deployment[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked by another test
  return manifests.filter(({ kind }) => kind === 'Deployment') as Deployment[];
}
