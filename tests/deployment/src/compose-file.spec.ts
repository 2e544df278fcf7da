import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly unknown[];
  readonly profiles?: readonly string[];
  readonly networks?: readonly string[];
  readonly mem_limit?: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const root = join(import.meta.dirname, '../../../..');
const file = join(root, 'docker-compose.yml');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
const compose = parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: 1_000 }) as ComposeFile;
const services = Object.entries(compose.services);
/** Runs once and ends, so it has no health check. */
const COMMANDS = ['people', 'console', 'demo', 'backup'];
const MEMORY_LIMIT = /^\$\{RINGDOWN_[A-Z]+_MEMORY:-\d+[mg]\}$/;

/** The services of a file that is used in addition to the main one. */
function addedBy(name: string): ComposeFile['services'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return (parse(readFileSync(join(root, name), 'utf8'), { merge: true }) as ComposeFile).services;
}

describe('the compose file', () => {
  it('has the bus, the database, the services, the edge, the balancer, four commands and two senders', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual([
      'aggregator',
      'application-people',
      'backup',
      'collector',
      'console',
      'demo',
      'discovery-auth',
      'edge',
      'feed-balancer',
      'nats',
      'people',
      'postgres',
      'sender-fe1',
      'sender-fe2',
      'subscribers',
    ]);
  });

  it('runs all our services from one image', () => {
    const platform = ['discovery-auth', 'application-people', 'collector', 'aggregator', 'subscribers'];
    const ours = [...COMMANDS, ...platform, 'sender-fe1', 'sender-fe2'];
    expect(new Set(ours.map((name) => compose.services[name]?.image)).size).toBe(1);
  });

  it.each(services)(
    'runs %s without root, without capabilities, and without a writable root file system',
    (_name, service) => {
      expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it.each(services)('limits the memory of %s with a key that docker-compose 1.29 also supports', (_name, service) => {
    expect(service.mem_limit).toMatch(MEMORY_LIMIT);
  });

  it.each(['deploy/cluster.yml', 'deploy/feed-https.yml', 'deploy/monitoring.yml', 'deploy/plain-http.yml'])(
    'limits the memory of what %s adds',
    (name) => {
      const added = Object.entries(addedBy(name)).filter(([service]) => compose.services[service] === undefined);
      const unlimited = added.filter(([, { mem_limit }]) => !MEMORY_LIMIT.test(mem_limit ?? ''));
      expect(unlimited.map(([service]) => service)).toEqual([]);
    },
  );

  it.each(services.filter(([name]) => !COMMANDS.includes(name)))('has a health check for %s', (_name, service) => {
    expect(service.healthcheck?.disable).toBeUndefined();
    // That of our image is in the image (images.spec.ts).
    const isOurs = service.image === compose.services['collector']?.image;
    expect(isOurs || (service.healthcheck?.test?.length ?? 0) > 1).toBe(true);
  });

  it('starts each part after the parts that it needs are healthy', () => {
    for (const [, { depends_on: needed = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needed)) {
        expect([name, condition]).toEqual([
          name,
          COMMANDS.includes(name) ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    }
    expect(Object.keys(compose.services['aggregator']?.depends_on ?? {}).toSorted()).toEqual(['nats', 'postgres']);
  });

  it('publishes the web interface and the feed, and nothing else unless configured', () => {
    const always = services.filter(([, { profiles }]) => profiles === undefined);
    const published = always.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['edge', '${PORT:-8443}:8443'],
      ['feed-balancer', '${COLLECTOR_PORT:-8080}:8080'],
    ]);
  });

  it('lets the balancer report to collectors whose connection it forwards', () => {
    const balancer = readFileSync(join(root, 'deploy/feed-balancer/haproxy.cfg'), 'utf8');
    expect(balancer).toMatch(/^ *default-server send-proxy /m);
    expect(compose.services['collector']?.environment?.['COLLECTOR_PROXY_PROTOCOL']).toBe(
      '${COLLECTOR_PROXY_PROTOCOL:-on}',
    );
  });

  it('forwards HTTPS of the feed to the collectors when that file is added', () => {
    const added = addedBy('deploy/feed-https.yml');
    expect(added['collector']?.environment?.['COLLECTOR_HTTPS_PORT']).toBe('8444');
    expect(added['feed-balancer']?.ports).toEqual(['${COLLECTOR_HTTPS_PORT:-8444}:8444']);
    const balancer = readFileSync(join(root, 'deploy/feed-balancer/haproxy.cfg'), 'utf8');
    expect(balancer).toMatch(/^frontend feed-https\n *bind :8444$/m);
    expect(balancer).toMatch(/^ *server-template collector 16 collector:8444 /m);
  });

  it('isolates bus and database in their own networks, with credentials that have no default', () => {
    expect(compose.networks).toMatchObject({ bus: { internal: true }, store: { internal: true } });
    for (const name of ['collector', 'aggregator', 'discovery-auth', 'application-people', 'subscribers']) {
      const variable = name.toUpperCase().replace('-', '_');
      const url = String(compose.services[name]?.environment?.['NATS_URL']);
      expect(url).toMatch(new RegExp(`^nats://${name}:\\$\\{NATS_SEED_${variable}:\\?[^}]+\\}@nats:4222$`));
      expect(compose.services['nats']?.environment?.[`NATS_KEY_${variable}`]).toContain(':?');
    }
    expect(compose.services['postgres']?.environment?.['POSTGRES_PASSWORD']).toContain(':?');
    expect(compose.services['postgres']?.networks).toEqual(['store']);
    expect(compose.services['nats']?.networks).toEqual(['bus']);
  });

  it('lets the services use the database as its owner, and admits the superuser only locally', () => {
    const user = new URL(
      String(compose.services['aggregator']?.environment?.['DATABASE_URL']).replace(/\$\{[^}]*\}/, 'x'),
    );
    const { environment, volumes } = compose.services['postgres'] ?? {};
    expect([user.username, environment?.['POSTGRES_USER'], environment?.['POSTGRES_DB']]).toEqual([
      'ringdown',
      'postgres',
      undefined,
    ]);
    expect(volumes).toContain('./deploy/database/make-owner.sql:/docker-entrypoint-initdb.d/make-owner.sql:ro,z');
    const made = readFileSync(join(root, 'deploy/database/make-owner.sql'), 'utf8').match(/^(?:create|alter) .*;$/gm);
    expect(made).toEqual([
      "create role ringdown login password :'password';",
      'create database ringdown owner ringdown;',
      'alter role postgres password null;',
    ]);
  });

  it('keeps data in named volumes', () => {
    expect(Object.keys(compose.volumes).toSorted()).toEqual(['bus', 'calls', 'console', 'edge', 'people']);
  });

  it('starts the demo, the senders, the subscribers and a backup only on request', () => {
    const withProfile = services.flatMap(([name, { profiles = [] }]) =>
      profiles.map((profile) => `${profile}: ${name}`),
    );
    expect(withProfile).toEqual([
      'subscribers: subscribers',
      'backup: backup',
      'demo: demo',
      'demo: sender-fe1',
      'demo: sender-fe2',
    ]);
  });

  it('has a sender for each front end, which only the machine itself can reach', () => {
    for (const name of ['fe1', 'fe2']) {
      const { command, ports, networks, environment } = compose.services[`sender-${name}`] ?? {};
      expect(command?.at(-1)).toBe('run');
      expect(environment).toMatchObject({ SUBMIT_URI: 'http://feed-balancer:8080' });
      expect(environment?.['FRONT_END']).toContain(`:-${name}.example.test}`);
      expect(networks).toEqual(['feed']);
      expect(ports).toEqual(
        ['udp', 'tcp'].map((protocol) => expect.stringMatching(`:-127.0.0.1:906\\d}:9060/${protocol}$`)),
      );
    }
  });
});
