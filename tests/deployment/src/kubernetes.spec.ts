import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './kubectl.js';
import {
  cronJobsOf,
  deploymentManifests,
  overlayManifests,
  OVERLAYS,
  type Container,
  type Deployment,
  type PodSpec,
  type Variable,
} from './kubernetes-manifests.js';
import { schemaProblems, unknownFields, type Manifest } from './kubernetes-schemas.js';

const SERVICES = ['aggregator', 'application-people', 'collector', 'discovery-auth', 'subscribers'];
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Which programs read a setting, from the table that another test compares with the programs. */
const readers = new Map(
  [...read('docs/settings.md').matchAll(/^\| `([A-Z_\d]+)` \|.*\| ([^|]+) \|$/gm)].map(([, name = '', by = '']) => [
    name,
    by.split(', '),
  ]),
);
/** In which a service lets its requests end: STOP_BUDGET_MS of libs/service. */
const STOP_SECONDS = 25;
/** Parts of URLs, which are no settings. */
const PARTS = ['NATS_SEED', 'NATS_SERVERS', 'POSTGRES_PASSWORD', 'DATABASE_SERVERS', 'DATABASE_READ_SERVERS'];

describe('the schemas', () => {
  const metadata = { name: 'wrong' };

  it('find a missing field, a wrong type and an unknown field', () => {
    const spec = { selector: {}, template: { spec: { containers: [{ name: 'a', livenessProbes: {} }] } } };
    const wrong: Manifest[] = [
      Object.assign({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }, { spec: { template: {} } }),
      Object.assign({ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata }, { spec: { instances: 'two' } }),
    ];
    expect(schemaProblems(wrong)).toEqual([
      expect.stringContaining('Deployment wrong: '),
      expect.stringContaining('Cluster wrong: '),
    ]);
    const unknown = Object.assign({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }, { spec });
    expect(schemaProblems([unknown])).toEqual([]);
    expect(unknownFields([unknown])).toEqual([expect.stringContaining('livenessProbes')]);
  }, 60_000);
});

describe.each(OVERLAYS)('%s', (overlay) => {
  let manifests: Manifest[] = [];
  let deployments: Deployment[] = [];
  beforeAll(async () => {
    manifests = await overlayManifests(overlay, true);
    deployments = deploymentManifests(manifests);
  }, 300_000);

  const containersOf = ({ spec: { template } }: Deployment): readonly Container[] => [
    ...(template.spec.initContainers ?? []),
    ...template.spec.containers,
  ];
  const all = (): Container[] => deployments.flatMap((each) => [...containersOf(each)]);
  const dataOf = (name: string): Record<string, string> => {
    const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked below
    return (found as unknown as { data?: Record<string, string> } | undefined)?.data ?? {};
  };

  const textOf = ({ configMapKeyRef, secretKeyRef }: NonNullable<Variable['valueFrom']> = {}): string => {
    if (secretKeyRef !== undefined) return `<${secretKeyRef.name}/${secretKeyRef.key}>`;
    return configMapKeyRef === undefined ? '' : (dataOf(configMapKeyRef.name)[configMapKeyRef.key ?? ''] ?? '');
  };
  /** The environment of a service, as the kubelet makes it, with Secrets left as they are. */
  const settingsOf = (service: string): Map<string, string> =>
    environmentOf(deployments.find(({ metadata }) => metadata.name === service)?.spec.template.spec.containers[0]);
  const environmentOf = (container: Container | undefined): Map<string, string> => {
    const env = new Map<string, string>();
    for (const { configMapRef } of container?.envFrom ?? []) {
      for (const [name, value] of Object.entries(dataOf(configMapRef.name))) env.set(name, value);
    }
    // A variable can only refer to those before it; otherwise the reference stays.
    const expand = (text: string): string =>
      text.replaceAll(/\$\((\w+)\)/g, (all, other: string) => env.get(other) ?? all);
    for (const { name, value, valueFrom } of container?.env ?? []) env.set(name, expand(value ?? textOf(valueFrom)));
    return env;
  };

  it('has every service of docker-compose.yml but the bus, the database and the balancer', () => {
    expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual([...SERVICES, 'edge'].toSorted());
    const commands = deployments.flatMap(({ spec }) => spec.template.spec.initContainers ?? []);
    expect(commands.map(({ name }) => name).toSorted()).toEqual(['console', 'people']);
  });

  it('fits the schemas of Kubernetes, KEDA and CloudNativePG', () => {
    expect(manifests.length).toBeGreaterThan(30);
    expect(schemaProblems(manifests)).toEqual([]);
  });

  it('has only fields that they know', () => {
    expect(unknownFields(manifests)).toEqual([]);
  }, 120_000);

  it('uses the images of docker-compose.yml', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
      services: Record<string, { image: string }>;
    };
    const known = Object.values(compose.services).map(({ image }) => image.replace(/^\$\{\w+:-(.*)\}$/, '$1'));
    expect(all().filter(({ image }) => !known.includes(image))).toEqual([]);
  });

  it('starts programs of the repository', () => {
    const programs = all().flatMap(({ command = [], args = [] }) => [
      ...[...command, ...args].join(' ').matchAll(/dist\/[\w/-]+\.js/g),
    ]);
    expect(programs).toHaveLength(SERVICES.length + 1);
    expect(programs.filter(([program]) => !existsSync(join(root, program)))).toEqual([]);
  });

  it('runs without root, without capabilities, and without a writable root file system', () => {
    for (const { spec } of deployments) {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
    }
    for (const { securityContext } of all()) {
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('limits memory and requests processor time for every container', () => {
    for (const { resources } of all()) {
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it('probes paths that exist, on the inner port', () => {
    const server = read('libs/observability/src/inner-server.ts');
    const paths = [...server.matchAll(/case '(\/health\/\w+)':/g)].map(([, path]) => path);
    expect(paths).toEqual(['/health/live', '/health/ready']);
    for (const { spec, metadata } of deployments.filter(({ metadata: { name } }) => name !== 'edge')) {
      const [container] = spec.template.spec.containers;
      const inner = container?.ports?.find(({ name }) => name === 'inner')?.containerPort;
      expect([metadata.name, String(inner)]).toEqual([metadata.name, settingsOf(metadata.name).get('INNER_PORT')]);
      const probe = (path: string): object => ({ httpGet: { path, port: 'inner' } });
      expect(container).toMatchObject({
        startupProbe: probe('/health/live'),
        readinessProbe: probe('/health/ready'),
        livenessProbe: probe('/health/live'),
      });
    }
  });

  it('probes the address of the edge that its Caddyfile has', () => {
    const [edge] = deployments.filter(({ metadata }) => metadata.name === 'edge');
    const [container] = edge?.spec.template.spec.containers ?? [];
    for (const probe of [container?.startupProbe, container?.readinessProbe, container?.livenessProbe]) {
      const address = probe?.exec?.command.at(-1)?.replace(/\/$/, '');
      expect(read('deploy/edge/Caddyfile')).toContain(`\n${address} {\n`);
    }
  });

  it.each(SERVICES)('sets for %s only settings that it reads', (service) => {
    const names = [...settingsOf(service).keys()].filter((name) => !PARTS.includes(name));
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => readers.get(name)?.includes(service) !== true)).toEqual([]);
  });

  it.each(SERVICES)('lets %s log in to the bus as itself, with nothing left to expand', (service) => {
    const env = settingsOf(service);
    expect([...env.values()].filter((value) => value === '' || value.includes('$('))).toEqual([]);
    const hosts = overlay.endsWith('cluster') ? 3 : 1;
    const [, user, servers = ''] = /^nats:\/\/([\w-]+):<bus-[\w-]+\/seed>@(.+)$/.exec(env.get('NATS_URL') ?? '') ?? [];
    expect([user, servers.split(',').length]).toEqual([service, hosts]);
    expect(env.get('NATS_URL')).toContain(`<bus-${service}/seed>`);
  });

  it('writes to the primary of the database, and replicates the bus, as far as there are several servers', () => {
    const env = settingsOf('aggregator');
    const url = (name: string): string =>
      `postgres://ringdown:<ringdown-db-owner/password>@ringdown-db-${name}:5432/ringdown`;
    const isCluster = overlay.endsWith('cluster');
    expect(env.get('DATABASE_URL')).toBe(url('rw'));
    expect(env.get('DATABASE_READ_URL')).toBe(isCluster ? url('ro') : undefined);
    expect(env.get('BUS_REPLICAS')).toBe(isCluster ? '3' : undefined);
    const cluster = manifests.find(({ kind }) => kind === 'Cluster');
    expect(cluster).toMatchObject({ spec: { instances: isCluster ? 3 : 1 } });
  });

  it('keeps the variables of Services away: COLLECTOR_PORT would be one', () => {
    for (const { spec } of deployments) expect(spec.template.spec.enableServiceLinks).toBe(false);
  });

  it('gives every Service a port that its pods have', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service');
    expect(services).toHaveLength(5);
    for (const service of services) {
      const pod = deployments.find(({ metadata }) => metadata.name === service.metadata.name)?.spec.template;
      const ports = pod?.spec.containers.flatMap((each) => each.ports ?? []).map(({ name }) => name) ?? [];
      expect(service).toMatchObject({ spec: { selector: { 'app.kubernetes.io/name': service.metadata.name } } });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked above
      const { ports: own } = (service as unknown as { spec: { ports: { targetPort: string }[] } }).spec;
      expect(own.filter(({ targetPort }) => !ports.includes(targetPort))).toEqual([]);
    }
  });

  it('stops a pod only when nobody sends to it any more, and gives it the time that it needs then', () => {
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds: grace = 30 } = spec.template.spec;
      for (const { lifecycle } of containers) {
        const seconds = lifecycle?.preStop?.sleep?.seconds ?? 0;
        expect(seconds).toBeGreaterThanOrEqual(5);
        expect(grace - seconds).toBeGreaterThanOrEqual(STOP_SECONDS);
      }
    }
  });

  it('has a disruption budget for each, which lets a node be drained', () => {
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name).toSorted()).toEqual([...SERVICES, 'edge'].toSorted());
    for (const budget of budgets) expect(budget).toMatchObject({ spec: { maxUnavailable: 1 } });
  });

  it('denies all connections of our pods that no policy allows', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    const denying = policies.find(({ metadata }) => metadata.name === 'default-deny');
    const part = { 'app.kubernetes.io/part-of': 'ringdown' };
    expect(denying).toMatchObject({ spec: { podSelector: { matchLabels: part }, policyTypes: ['Ingress', 'Egress'] } });
    expect(denying).not.toHaveProperty('spec.ingress');
    expect(denying).not.toHaveProperty('spec.egress');
    for (const { spec } of deployments) expect(spec.template.metadata.labels).toMatchObject(part);
  });

  it('names whom the services reach outside, by address and port', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked above
    const rulesOf = (policy: unknown): object[] => (policy as { spec: { egress?: object[] } }).spec.egress ?? [];
    const egressOf = (name: string): unknown =>
      manifests.find((each) => each.kind === 'NetworkPolicy' && each.metadata.name === name);
    // For documentation: nobody has them (RFC 5737).
    const to = [{ ipBlock: { cidr: expect.stringMatching(/^192\.0\.2\.\d+\/32$/) } }];
    expect(egressOf('directory')).toMatchObject({ spec: { egress: [{ to, ports: [{ port: 389 }, { port: 636 }] }] } });
    expect(egressOf('identity-provider')).toMatchObject({
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'discovery-auth' } },
        egress: [{ to, ports: [{ port: 443 }] }],
      },
    });
    // Webhooks may be anywhere.
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    const open = policies.filter((each) => rulesOf(each).some((rule) => !('to' in rule)));
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['subscribers']);
    const guide = /```yaml\n(patches:\n[^`]*)```/.exec(read('docs/guides/kubernetes.md'))?.[1] ?? '';
    const { patches }: { patches: { target: { name: string }; patch: string }[] } = parse(guide);
    expect(patches.map(({ target }) => target.name)).toEqual(['directory', 'identity-provider']);
    for (const { target, patch } of patches) {
      expect(parse(patch)).toMatchObject([{ op: 'replace', path: '/spec/egress/0/to' }]);
      expect(egressOf(target.name)).toHaveProperty('spec.egress.0.to');
    }
  });

  it('scales the aggregators by their backlog, up to one for each partition', () => {
    const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject');
    expect(scaled).toHaveLength(overlay.endsWith('cluster') ? 1 : 0);
    if (scaled.length === 0) return;
    const text = JSON.stringify(scaled);
    // As in alerts.yml: a message waits for each partition of its subject.
    expect(text).toContain('sum(max by (subject) (ringdown_aggregator_backlog_messages');
    const [, metric = ''] = /(ringdown_\w+)\{/.exec(text) ?? [];
    expect(read('apps/aggregator/src/feed/feed-metrics.ts')).toContain(`'${metric.replace('ringdown_', '')}'`);
    const [, partitions] = /PARTITIONS = (\d+)/.exec(read('libs/contracts/src/records.ts')) ?? [];
    expect(scaled[0]).toMatchObject({
      spec: { scaleTargetRef: { name: 'aggregator' }, maxReplicaCount: Number(partitions) },
    });
  });

  describe('the nightly backup', () => {
    let pod: PodSpec;
    let container: Container;
    beforeAll(() => {
      const [job, ...others] = cronJobsOf(manifests);
      if (job === undefined || others.length > 0) throw new Error('there is not exactly one CronJob');
      const { spec, metadata } = job.spec.jobTemplate.spec.template;
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/part-of': 'ringdown' });
      const [only] = spec.containers;
      if (only === undefined) throw new Error('the CronJob has no container');
      [pod, container] = [spec, only];
    });

    it('runs the program of docker-compose.yml and writes to a volume', () => {
      const compose = read('docker-compose.yml');
      const [, program = ''] = /entrypoint: \[node, \/app\/(\S+backup\.js)\]/.exec(compose) ?? [];
      expect(container.command).toEqual(['node', `/app/${program}`]);
      expect(existsSync(join(root, program))).toBe(true);
      expect(compose).toContain(container.image);
      expect(container.volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
      expect(manifests).toContainEqual(expect.objectContaining({ kind: 'PersistentVolumeClaim' }));
    });

    it('has its own rights on the bus, and the database and replicas of the aggregator', () => {
      const [env, aggregator] = [environmentOf(container), settingsOf('aggregator')];
      expect(env.get('NATS_URL')).toMatch(/^nats:\/\/backup:<bus-backup\/seed>@nats/);
      expect(env.get('NATS_URL_PEOPLE')).toMatch(/^nats:\/\/backup-people:<bus-backup-people\/seed>@nats/);
      expect(env.get('DATABASE_URL')).toBe(aggregator.get('DATABASE_URL'));
      expect(env.get('BUS_REPLICAS')).toBe(aggregator.get('BUS_REPLICAS') ?? '');
      expect(read('deploy/kubernetes/make-secrets.sh')).toMatch(/for service in [^;]*\bbackup\b/);
    });

    it('is restricted as the services are', () => {
      const service = deployments.find(({ metadata }) => metadata.name === 'collector')?.spec.template.spec;
      if (service === undefined) throw new Error('there is no collector');
      const { automountServiceAccountToken, enableServiceLinks, securityContext } = service;
      expect(pod).toMatchObject({ automountServiceAccountToken, enableServiceLinks, securityContext });
      expect(container.securityContext).toEqual(service.containers[0]?.securityContext);
    });
  });

  it('lets only the backup reach bus and database besides the services', () => {
    const from = (name: string): unknown =>
      manifests.find((each) => each.metadata.name === name && each.kind === 'NetworkPolicy');
    const backup = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'backup' } } };
    expect(from('nats-from-backup')).toMatchObject({
      spec: { ingress: [{ from: [backup], ports: [{ port: 4222 }] }] },
    });
    expect(from('ringdown-db-from-backup')).toMatchObject({
      spec: { ingress: [{ from: [backup], ports: [{ port: 5432 }] }] },
    });
    expect(from('backup')).toMatchObject({ spec: { podSelector: backup.podSelector, policyTypes: ['Egress'] } });
  });

  it('uses Secrets and files that make-secrets.sh makes', () => {
    const script = read('deploy/kubernetes/make-secrets.sh');
    const volumes = deployments.flatMap(({ spec }) => spec.template.spec.volumes ?? []);
    const secrets = volumes.flatMap(({ secret }) => secret?.secretName ?? []);
    expect(secrets.toSorted()).toEqual(['edge-certificate', 'first-users', 'subscribers']);
    for (const name of secrets.filter((each) => each !== 'subscribers'))
      expect(script).toMatch(new RegExp(`head_of ${name}\\b`));
  });
});
