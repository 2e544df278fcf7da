import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly unknown[];
  readonly deploy?: { readonly replicas?: string };
}

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};
const services = Object.entries(compose.services);
const example = read('.env.example');
const composeFiles = [
  'docker-compose.yml',
  ...readdirSync(join(root, 'deploy'))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `deploy/${name}`),
];

/** `${NAME}`, `${NAME:-default}` and `${NAME:?reason}` of a compose file, without comments. */
const variables = composeFiles.flatMap((file) =>
  [...read(file).matchAll(/^(?! *#).*$/gm)]
    .flatMap(([line]) => [...line.matchAll(/\$\{([A-Z_\d]+)(?::([-?])([^}]*))?\}/g)])
    .map(([, name = '', kind, text = '']) => ({ file, name, kind, text })),
);

describe('.env, for Compose', () => {
  it('may leave out every variable that has a default; each missing other one stops it with a message', () => {
    expect(variables.length).toBeGreaterThan(80);
    expect(variables.filter(({ kind }) => kind === undefined)).toEqual([]);
    const needed = variables.filter(({ kind }) => kind === '?');
    expect(new Set(needed.map(({ text }) => text))).toEqual(
      new Set(['is not set, run deploy/make-env.sh', 'is not set, run deploy/make-env.sh add-keys']),
    );
  });

  it('is complete when the example was copied, filled in, and given keys', () => {
    const inExample = [...example.matchAll(/^([A-Z_\d]+)=/gm)].map(([, name = '']) => name);
    const script = read('deploy/make-env.sh');
    const [, keysOf = ''] = /^add_keys\(\) \{\n(?: .*\n){0,4}? *for service in ([A-Z_ ]+);/m.exec(script) ?? [];
    const [, clusters = ''] = /^ *for cluster in ([A-Z ]+);/m.exec(script) ?? [];
    const added = [
      ...keysOf.split(' ').flatMap((service) => [`NATS_SEED_${service}`, `NATS_KEY_${service}`]),
      ...clusters.split(' ').map((cluster) => `${cluster}_CLUSTER_PASSWORD`),
    ];
    const needed = new Set(variables.filter(({ kind }) => kind === '?').map(({ name }) => name));
    expect(needed.size).toBeGreaterThan(added.length);
    expect([...needed].filter((name) => !inExample.includes(name) && !added.includes(name))).toEqual([]);
  });

  it('changes no default when the example was copied as it is', () => {
    const defaults = new Map(variables.filter(({ kind }) => kind === '-').map(({ name, text }) => [name, text]));
    const set = [...example.matchAll(/^([A-Z_\d]+)=(.+)$/gm)].filter(([, name = '']) => defaults.has(name));
    const other = set.filter(([, name = '', value]) => defaults.get(name) !== value).map(([, name]) => name);
    // Names for discovery, for which no default fits all systems.
    expect(other).toEqual(['EDGE_HOSTS']);
  });

  it('lists the real default of each image and limit in the example', () => {
    const real = variables.filter(({ name }) => /^RINGDOWN_[A-Z]+_(?:IMAGE|MEMORY)$/.test(name));
    const inMain = real.filter(({ name, file }) => file === 'docker-compose.yml' || name.endsWith('_MEMORY'));
    expect(inMain.length).toBeGreaterThan(10);
    expect(inMain.filter(({ name, text }) => !example.includes(`\n# ${name}=${text}\n`))).toEqual([]);
  });
});

describe('a setting of the web interface that is a name or a file', () => {
  it.each([
    ['EDGE_HOSTS', 'edge', 'EDGE_HOSTS', 'deploy/README.md'],
    ['DOMAINS_FILE', 'discovery-auth', 'DOMAINS_FILE', 'docs/guides/existing-clients.md'],
    ['OIDC_CA_FILE', 'discovery-auth', 'NODE_EXTRA_CA_CERTS', 'docs/guides/single-sign-on.md'],
  ])('reaches the container with %s, and its guide says so', (name, service, inContainer, guide) => {
    expect(compose.services[service]?.environment?.[inContainer]).toMatch(new RegExp(`^\\$\\{${name}:-.*\\}$`));
    expect(read(guide)).toContain(`\`${name}`);
  });

  it.each([
    ['DOMAINS_FILE', 'docs/guides/existing-clients.md'],
    ['OIDC_CA_FILE', 'docs/guides/single-sign-on.md'],
  ])('names a file in a mounted folder in the example and the guide of %s', (name, guide) => {
    expect(compose.services['discovery-auth']?.volumes).toContain('./deploy/directory:/etc/ringdown/directory:ro,z');
    const path = new RegExp(`${name}=/etc/ringdown/directory/[\\w-]+\\.(?:json|pem)\\b`);
    for (const file of ['.env.example', guide]) expect(read(file)).toMatch(path);
  });
});

describe('the number of containers', () => {
  const scaled = { collector: 'COLLECTOR_REPLICAS', aggregator: 'AGGREGATOR_REPLICAS' };

  it('is read from .env by every command, so that another profile and an upgrade keep it', () => {
    const replicas = services.flatMap(([name, { deploy }]) => (deploy === undefined ? [] : [[name, deploy.replicas]]));
    const wanted = Object.entries(scaled).map(([name, variable]) => [name, `\${${variable}:-1}`]);
    expect(replicas).toEqual(wanted);
  });

  it.each(Object.values(scaled))('is set with %s in the lines of README.md, and in .env.example', (variable) => {
    expect(read('README.md')).toMatch(
      new RegExp(`^printf '.*${variable}=\\d+\\\\n.*' >> \\.env && docker compose up -d$`, 'm'),
    );
    expect(example).toContain(`\n# ${variable}=1\n`);
  });

  it.each(['README.md', 'deploy/README.md', 'docker-compose.yml'])('is not set by --scale in %s', (file) => {
    expect(read(file)).not.toMatch(/docker[ -]compose\b.* --scale\b/);
  });
});

describe('the inner port', () => {
  /** The value in the table of settings, which another test compares with the program. */
  const [, port] = /^\| `INNER_PORT` \|.*\| `(\d+); sender: \d+` \|/m.exec(read('docs/settings.md')) ?? [];

  it('has the default of the setting in every container that has one', () => {
    const set = services.flatMap(([, { environment }]) => environment?.['INNER_PORT'] ?? []);
    expect(set.length).toBeGreaterThan(6);
    expect(new Set(set)).toEqual(new Set([port]));
  });

  it('is the one of the image, which its health check asks', () => {
    const recipe = read('deploy/images/Dockerfile');
    expect(/^ENV .*\bINNER_PORT=(\d+)$/m.exec(recipe)?.[1]).toBe(port);
    expect(recipe).toMatch(/^HEALTHCHECK [^\n]*\\\n.*\/dev\/tcp\/127\.0\.0\.1\/\$INNER_PORT /m);
  });

  it.each([
    ['deploy/feed-balancer/haproxy.cfg', / check port (\d+) /g],
    ['deploy/monitoring/prometheus.yml', /^ *port: (\d+)$/gm],
  ])('is the same in %s', (file, pattern) => {
    expect([...read(file).matchAll(pattern)].map(([, at]) => at)).toEqual([port]);
  });
});

describe("Debian's docker-compose 1.29", () => {
  it.each(['README.md', 'deploy/README.md', 'docker-compose.yml'])(
    'is configured in %s to build with BuildKit, which the Dockerfile needs',
    (file) => {
      expect(read('deploy/images/Dockerfile')).toMatch(/^RUN --mount=/m);
      for (const word of ['1.29', 'DOCKER_BUILDKIT=1', 'COMPOSE_DOCKER_CLI_BUILD=1']) {
        expect(read(file)).toContain(word);
      }
    },
  );
});
