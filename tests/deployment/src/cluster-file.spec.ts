import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly replicas?: string | number };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const composeFile = (path: string): ComposeFile =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
  parse(read(path), { merge: true, maxAliasCount: 1_000 }) as ComposeFile;
const main = composeFile('docker-compose.yml');
const { services, networks, volumes } = composeFile('deploy/cluster.yml');
const added = Object.entries(services).filter(([name]) => main.services[name] === undefined);
const BEHIND_THE_EDGE = ['discovery-auth', 'application-people', 'aggregator'];

describe('deploy/cluster.yml', () => {
  it('adds two NATS servers, a PostgreSQL server, three etcd servers and a balancer', () => {
    expect(added.map(([name]) => name).toSorted()).toEqual([
      'etcd-1',
      'etcd-2',
      'etcd-3',
      'nats-2',
      'nats-3',
      'postgres-2',
      'web-balancer',
    ]);
  });

  it.each(added)('runs %s as the main file runs its containers, and publishes no port', (_name, service) => {
    expect(service).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.healthcheck?.test?.length).toBeGreaterThan(1);
    expect(service.ports).toBeUndefined();
  });

  it.each([...BEHIND_THE_EDGE, 'collector'])('runs two of %s, with all servers of the bus', (name) => {
    const { deploy, environment } = services[name] ?? {};
    expect(String(deploy?.replicas)).toMatch(/^(?:2|\$\{[A-Z]+_REPLICAS:-2\})$/);
    expect(environment?.['NATS_URL']).toMatch(/@nats:4222,nats-2:4222,nats-3:4222$/);
    expect(environment?.['BUS_REPLICAS']).toBe('3');
  });

  it('gives both database servers to the aggregators, and to nobody else', () => {
    expect(services['aggregator']?.environment?.['DATABASE_URL']).toMatch(/@postgres:5432,postgres-2:5432\/ringdown$/);
    expect(networks).toEqual({ consensus: { internal: true } });
    const onStore = Object.entries(services).filter(([, each]) => each.networks?.includes('store'));
    expect(onStore.map(([name]) => name)).toEqual(['postgres', 'postgres-2']);
  });

  it('stores each server in a volume of its own, whose owner is not root', () => {
    expect(Object.keys(volumes)).toEqual(['bus-2', 'bus-3', 'calls-2', 'etcd-1', 'etcd-2', 'etcd-3']);
    // The image of PostgreSQL has its folder.
    const owned = Object.keys(volumes).filter((name) => name !== 'calls-2');
    expect(services['people']?.volumes).toEqual(owned.map((name) => `${name}:/volumes/${name}`));
    const image = read('deploy/images/Dockerfile');
    for (const name of owned) expect(image).toContain(`/volumes/${name}`);
  });

  it('leads the edge through the balancer, to replicas that are ready', () => {
    const balancer = read('deploy/cluster/web-balancer.cfg');
    const caddy = read('deploy/edge/Caddyfile');
    for (const name of BEHIND_THE_EDGE) {
      const variable = name.toUpperCase().replace('-', '_');
      const port = /^web-balancer:(\d+)$/.exec(services['edge']?.environment?.[variable] ?? '')?.[1];
      expect(caddy).toContain(`reverse_proxy {$${variable}:${name}:8000}`);
      expect(balancer).toContain(`frontend ${name}\n  bind :${port}\n`);
      expect(balancer).toContain(`backend ${name}\n  server-template replica 16 ${name}:8000 `);
    }
    expect(balancer).toMatch(/^ *option httpchk GET \/health\/ready$/m);
  });

  it('gives Patroni a name and an address for each server, and the same place for its data as the main file', () => {
    for (const name of ['postgres', 'postgres-2']) {
      expect(services[name]?.environment).toMatchObject({
        PATRONI_NAME: name,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
      });
    }
    const patroni: unknown = parse(read('deploy/cluster/patroni.yml'));
    expect(patroni).toMatchObject({
      scope: 'ringdown',
      etcd3: { hosts: ['etcd-1:2379', 'etcd-2:2379', 'etcd-3:2379'] },
      bootstrap: { dcs: { synchronous_mode: true, postgresql: { use_pg_rewind: true } } },
      postgresql: { data_dir: '/var/lib/postgresql/data/cluster' },
    });
  });

  it('rejects the superuser of the database from outside its container', () => {
    const rules = read('deploy/cluster/patroni.yml').match(/^ {4}- (?:host|local) .*$/gm) ?? [];
    expect(rules.map((rule) => rule.trim()).slice(0, 2)).toEqual([
      '- local all postgres peer',
      '- host all postgres all reject',
    ]);
    expect(rules.filter((rule) => rule.includes('trust'))).toEqual([]);
  });
});
