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
  readonly profiles?: readonly string[];
  readonly networks?: readonly string[];
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
/** Runs once and ends, so there is no health to ask for. */
const COMMANDS = ['people', 'console', 'demo'];

/** The services of a file that is put beside the main one. */
function addedBy(name: string): ComposeFile['services'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return (parse(readFileSync(join(root, name), 'utf8')) as ComposeFile).services;
}

describe('the compose file', () => {
  it('has the bus, the database, the services, the edge, the balancer, three commands and two senders', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual([
      'aggregator',
      'application-people',
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

  it('makes all our services from one image', () => {
    const platform = ['discovery-auth', 'application-people', 'collector', 'aggregator', 'subscribers'];
    const ours = [...COMMANDS, ...platform, 'sender-fe1', 'sender-fe2'];
    expect(new Set(ours.map((name) => compose.services[name]?.image)).size).toBe(1);
  });

  it.each(services)(
    'runs %s without root, capabilities, or a root file system that can be written',
    (_name, service) => {
      expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it.each(services.filter(([name]) => !COMMANDS.includes(name)))('knows whether %s is well', (_name, service) => {
    expect(service.healthcheck?.disable).toBeUndefined();
    expect(service.healthcheck?.test?.length).toBeGreaterThan(1);
  });

  it('starts each part when those that it needs are well', () => {
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

  it('publishes the web interface and the feed, and nothing else unless it is asked for', () => {
    const always = services.filter(([, { profiles }]) => profiles === undefined);
    const published = always.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['edge', '${PORT:-8443}:8443'],
      ['feed-balancer', '${COLLECTOR_PORT:-8080}:8080'],
    ]);
  });

  it('lets the balancer tell collectors whose connection it hands on', () => {
    const balancer = readFileSync(join(root, 'deploy/feed-balancer/haproxy.cfg'), 'utf8');
    expect(balancer).toMatch(/^ *default-server send-proxy /m);
    expect(compose.services['collector']?.environment?.['COLLECTOR_PROXY_PROTOCOL']).toBe(
      '${COLLECTOR_PROXY_PROTOCOL:-on}',
    );
  });

  it('passes HTTPS of the feed through to the collectors, when that file is added', () => {
    const added = addedBy('deploy/feed-https.yml');
    expect(added['collector']?.environment?.['COLLECTOR_HTTPS_PORT']).toBe('8444');
    expect(added['feed-balancer']?.ports).toEqual(['${COLLECTOR_HTTPS_PORT:-8444}:8444']);
    const balancer = readFileSync(join(root, 'deploy/feed-balancer/haproxy.cfg'), 'utf8');
    expect(balancer).toMatch(/^frontend feed-https\n *bind :8444$/m);
    expect(balancer).toMatch(/^ *server-template collector 16 collector:8444 /m);
  });

  it('keeps bus and database in networks of their own, with credentials that have no default', () => {
    expect(compose.networks).toMatchObject({ bus: { internal: true }, store: { internal: true } });
    expect(compose.services['nats']?.environment?.['NATS_PASSWORD']).toContain(':?');
    expect(compose.services['postgres']?.environment?.['POSTGRES_PASSWORD']).toContain(':?');
    expect(compose.services['postgres']?.networks).toEqual(['store']);
    expect(compose.services['nats']?.networks).toEqual(['bus']);
  });

  it('keeps data in named volumes', () => {
    expect(Object.keys(compose.volumes).toSorted()).toEqual(['bus', 'calls', 'console', 'edge', 'people']);
  });

  it('starts the demo, the senders and the subscribers only when they are asked for', () => {
    const withProfile = services.flatMap(([name, { profiles = [] }]) =>
      profiles.map((profile) => `${profile}: ${name}`),
    );
    expect(withProfile).toEqual(['subscribers: subscribers', 'demo: demo', 'demo: sender-fe1', 'demo: sender-fe2']);
  });

  it('has a sender for each front end, which the machine itself reaches and nobody else', () => {
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
