import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './kubectl.js';

/** What our values for the Helm chart of NATS set, as far as tests look at it. */
export interface ChartValues {
  readonly fullnameOverride: string;
  readonly config: {
    readonly cluster?: { readonly enabled: boolean };
    readonly jetstream: {
      readonly fileStore: { readonly dir: string; readonly pvc: { readonly size: string } };
      readonly merge: object;
    };
    readonly merge: Readonly<Record<string, unknown>>;
  };
  readonly container: {
    readonly image: { readonly repository: string; readonly tag: string };
    readonly merge: object;
    readonly patch: readonly { readonly value: Mount }[];
  };
  readonly podTemplate: {
    readonly merge: { readonly spec: { readonly initContainers: readonly InitContainer[] } };
    readonly patch: readonly {
      readonly value: { readonly name: string; readonly configMap: { readonly name: string } };
    }[];
  };
}

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface InitContainer {
  readonly image: string;
  readonly command: readonly string[];
  readonly volumeMounts: readonly Mount[];
  readonly securityContext: unknown;
}

export function chartValues(size: string): ChartValues {
  return parse(readFileSync(join(root, `deploy/kubernetes/nats/values-${size}.yaml`), 'utf8'), { merge: true });
}

/** Where the chart mounts the configuration that it makes (files/stateful-set/nats-container.yaml of chart 2.14.2). */
export const CONFIG_FOLDER = '/etc/nats-config';

/** The volume with the streams and where the server has it (`nats.defaultValues` and files/stateful-set/nats-container.yaml). */
export function streamsMount({ fullnameOverride, config }: ChartValues): Mount {
  return { name: `${fullnameOverride}-js`, mountPath: config.jetstream.fileStore.dir };
}

/** The nats.conf that chart 2.14.2 makes (files/config and `nats.formatConfig` of templates/_helpers.tpl), without probes and routes. */
export function chartConfig({ config, fullnameOverride }: ChartValues): string {
  const { fileStore, merge } = config.jetstream;
  const jetstream = {
    max_memory_store: 0,
    store_dir: fileStore.dir,
    max_file_store: `<< ${fileStore.pvc.size} >>`,
    ...merge,
  };
  const cluster = config.cluster?.enabled === true ? { cluster: { name: fullnameOverride, port: 6222 } } : {};
  const all = { server_name: '<< $POD_NAME >>', port: 4222, http_port: 8222, jetstream, ...cluster, ...config.merge };
  // As of Go's JSON, the keys are sorted.
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(sorted, null, 2)
    .replaceAll(/".*\$include": "(.*)",?/g, 'include $1;')
    .replaceAll(/"<<\s+(.*?)\s+>>"/g, '$1');
}
