import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './kubectl.js';
import { deploymentManifests, overlayManifests, parseManifests } from './kubernetes-manifests.js';
import { schemaProblems, unknownFields, type Manifest } from './kubernetes-schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function makeSecrets(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(join(root, 'deploy/kubernetes/make-secrets.sh'), args, { encoding: 'utf8' });
}

const file = join(folder, 'secrets.yaml');
const made = makeSecrets(file, 'https://uc.branch.example:8443', 'branch.example');
const secrets = made.status === 0 ? parseManifests(readFileSync(file, 'utf8')) : [];

function secretContent(name: string): Record<string, string> {
  const found = secrets.find(({ metadata }) => metadata.name === name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema is checked by the first test
  return (found as (Manifest & { stringData: Record<string, string> }) | undefined)?.stringData ?? {};
}

describe('make-secrets.sh', () => {
  it('makes Secrets that fit the schema of Kubernetes, in a file only for its owner', () => {
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining(file)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Set(secrets.map(({ kind }) => kind))).toEqual(new Set(['Secret']));
    expect(schemaProblems(secrets)).toEqual([]);
    expect(unknownFields(secrets)).toEqual([]);
  });

  it('makes every Secret and key that the pods use, but for the subscribers, which are yours', async () => {
    const manifests = await overlayManifests('deploy/kubernetes/overlays/cluster', true);
    const containers = deploymentManifests(manifests).flatMap(({ spec }) => spec.template.spec.containers);
    const used = containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    expect(used.length).toBeGreaterThan(6);
    for (const { name, key = '' } of used) expect([name, secretContent(name)[key]]).toEqual([name, expect.any(String)]);
    const volumes = deploymentManifests(manifests).flatMap(({ spec }) => spec.template.spec.volumes ?? []);
    const mounted = volumes.flatMap(({ secret }) => secret?.secretName ?? []).filter((name) => name !== 'subscribers');
    expect(mounted.filter((name) => Object.keys(secretContent(name)).length === 0)).toEqual([]);
  }, 300_000);

  it('has the public key of each service under the name that users.conf reads', () => {
    const users = readFileSync(join(root, 'deploy/bus/users.conf'), 'utf8');
    const named = [...users.matchAll(/nkey: \$(\w+)/g)].map(([, name = '']) => name);
    expect(Object.keys(secretContent('bus-keys')).toSorted()).toEqual(named.toSorted());
    for (const key of Object.values(secretContent('bus-keys'))) expect(key).toMatch(/^U[A-Z2-7]{55}$/);
  });

  it('names first users of the SIP domain, each with a password of its own', () => {
    const users: unknown = JSON.parse(secretContent('first-users')['first-users.json'] ?? '');
    const user = (name: string, ...roles: string[]): object => ({
      username: `${name}@branch.example`,
      password: expect.stringMatching(/^[a-z\d]{16}$/),
      roles: ['user', ...roles],
    });
    expect(users).toEqual([user('alice'), user('bob'), user('carol', 'operator', 'reveal')]);
    expect(new Set(JSON.stringify(users).match(/"r[a-z\d]{15}"/g)).size).toBe(3);
  });

  it('has a certificate for the origin and the names of discovery', () => {
    const { 'tls.crt': certificate = '', 'tls.key': key } = secretContent('edge-certificate');
    const { subjectAltName } = new X509Certificate(certificate);
    expect(subjectAltName).toBe(
      'DNS:uc.branch.example, DNS:ucdiscover.branch.example, DNS:ucdiscoverinternal.branch.example',
    );
    expect(key).toContain('PRIVATE KEY');
  });

  it('does not change a file that exists', () => {
    const other = join(folder, 'other.yaml');
    writeFileSync(other, 'mine\n');
    expect(makeSecrets(other)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('exists and is not changed'),
    });
    expect(readFileSync(other, 'utf8')).toBe('mine\n');
  });

  it.each([
    [[], 'give a file'],
    [['a', 'http://uc.example.test'], 'must start with https://'],
    [['a', 'https://uc.example.test/path'], 'give an origin'],
    [['a', 'https://uc.example.test', "x', DNS:other"], 'only letters'],
  ])('rejects %j with one line', (args, reason) => {
    const { status, stderr } = makeSecrets(...args);
    expect([status, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(reason)]]);
  });
});

describe.each(['small', 'cluster'])('values-%s.yaml, for the Helm chart of NATS', (size) => {
  const text = readFileSync(join(root, `deploy/kubernetes/nats/values-${size}.yaml`), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
  const values = parse(text) as { container: { image: { repository: string; tag: string } } };

  it('has the image and the important options of deploy/bus', () => {
    const { repository, tag } = values.container.image;
    expect(readFileSync(join(root, 'docker-compose.yml'), 'utf8')).toContain(`:-${repository}:${tag}}`);
    expect(values).toMatchObject({
      fullnameOverride: 'nats',
      config: { jetstream: { enabled: true, merge: { sync_interval: 'always' } } },
    });
    expect(text).toContain('max_payload: << 1MB >>');
  });

  it('reads the users from the ConfigMap of the base and their keys from the Secret', async () => {
    const manifests = await overlayManifests(`deploy/kubernetes/overlays/${size}`);
    expect(manifests).toContainEqual(
      expect.objectContaining({ kind: 'ConfigMap', metadata: expect.objectContaining({ name: 'bus-users' }) }),
    );
    expect(text).toContain('configMap: { name: bus-users }');
    expect(secrets.map(({ metadata }) => metadata.name)).toContain('bus-keys');
    expect(text).toContain('secretRef: { name: bus-keys }');
  }, 300_000);
});
