import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fromScript, script } from './scripts.js';

const CHANGES = 'nats-server (2.10.27-1) unstable; urgency=medium\n';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly unknown[];
  readonly licenses: readonly unknown[];
}

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('the list of what a package contains', () => {
  const servers = mkdtempSync(join(tmpdir(), 'ringdown-sbom-'));
  afterAll(() => rmSync(servers, { recursive: true }));

  /** Writes the list twice, with nats-server as Debian would give it. */
  function written(changes = CHANGES): readonly string[] {
    const folder = mkdtempSync(join(servers, 'of-'));
    writeFileSync(join(folder, 'nats-server'), 'a program');
    writeFileSync(join(folder, 'changelog.Debian.gz'), gzipSync(changes));
    return fromScript(
      `import { billOfMaterials } from '${script('supply/bill-of-materials.mjs')}';
       import { nativePackages, ownMachine } from '${script('package/machines.mjs')}';
       const machine = ownMachine();
       const programs = { names: nativePackages(machine), packages: 'node_modules', servers: '${folder}' };
       console.log(JSON.stringify([await billOfMaterials(machine, programs), await billOfMaterials(machine, programs)]));`,
    ) as readonly string[]; // what the last line prints
  }

  const [text = '{}', again] = written();
  const bill = JSON.parse(text) as Bill; // as CycloneDX 1.5 has it, which is tested first
  const references = bill.components.map((component) => component['bom-ref']);

  it('is valid in CycloneDX 1.5', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"SHA-512"', '"SHA-511"'))).not.toBeNull();
  });

  it('has the packages of the programs and of the console, and the programs beside them, with licences', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', '@node-rs/argon2', 'OpenSSL', 'libxml2']));
    const versions = new Map(bill.components.map(({ name, version }) => [name, version]));
    expect(versions.get('Node.js')).toMatch(/^24\.\d+\.\d+$/);
    expect(versions.get('PostgreSQL')).toMatch(/^18\.\d+$/);
    const nats = bill.components.find(({ name }) => name === 'nats-server');
    expect(nats).toMatchObject({ version: '2.10.27', hashes: [{ alg: 'SHA-256' }] });
    expect(nats?.purl).toContain('pkg:deb/debian/nats-server@2.10.27-1?');
    expect(bill.components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
  });

  it('has no tools, and no parts of Ringdown', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names.filter((name) => /^@ringdown\/|^(?:typescript|jest|vite|nx|oxlint)$/.test(name))).toEqual([]);
    expect(bill.metadata.component).toMatchObject({ name: 'ringdown' });
  });

  it('has each component once, and leads to each from the whole', () => {
    expect(new Set(references).size).toBe(references.length);
    const below = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    expect(below.size).toBe(bill.dependencies.length);
    const reached = new Set([bill.metadata.component['bom-ref']]);
    // A set also yields what is added to it meanwhile.
    for (const ref of reached) for (const next of below.get(ref) ?? []) reached.add(next);
    expect([...reached].toSorted()).toEqual([bill.metadata.component['bom-ref'], ...references].toSorted());
  });

  it('is the same when it is made again', () => {
    expect(again).toBe(text);
  });

  it('is not written without the version of nats-server', () => {
    const wanted = 'changelog.Debian.gz of nats-server does not begin with its version';
    expect(() => written('nats (unknown)\n')).toThrow(wanted);
  });

  it('is not written without a package that npm does not know', () => {
    const code = `
       import { selectComponents } from '${script('supply/npm-sbom.mjs')}';
       selectComponents({ components: [{ 'bom-ref': 'a@1.0.0' }], dependencies: [] }, ['a@1.0.0', 'b@2.0.0']);`;
    expect(() => fromScript(code)).toThrow('npm sbom does not know b@2.0.0');
  });

  it('has a package once that npm 10 lists for each folder in which it is installed', () => {
    const code = `
       import { selectComponents } from '${script('supply/npm-sbom.mjs')}';
       import { documentOf } from '${script('supply/cyclonedx.mjs')}';
       const [a, b] = ['a@1.0.0', 'b@2.0.0'];
       const components = [{ 'bom-ref': a }, { 'bom-ref': b }, { 'bom-ref': a }];
       const dependencies = [{ ref: a, dependsOn: [b] }, { ref: b }, { ref: a, dependsOn: [b] }];
       console.log(documentOf(selectComponents({ components, dependencies }, [a, b])));`;
    const { components, dependencies } = fromScript(code) as Bill; // what the last line prints
    expect(components.map((component) => component['bom-ref'])).toEqual(['a@1.0.0', 'b@2.0.0']);
    expect(dependencies.slice(1)).toEqual([
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
      { ref: 'b@2.0.0', dependsOn: [] },
    ]);
  });

  it('is not written when no file tells the version of a part', () => {
    const packages = mkdtempSync(join(servers, 'packages-'));
    for (const name of ['node', 'postgres']) {
      mkdirSync(join(packages, name, 'native'), { recursive: true });
      writeFileSync(join(packages, name, 'package.json'), '{"version":"1.0.0"}');
    }
    writeFileSync(join(servers, 'changelog.Debian.gz'), gzipSync(CHANGES));
    const code = `
       import { partsOfPrograms } from '${script('supply/bill-of-materials.mjs')}';
       const names = { node: 'node', postgres: 'postgres' };
       partsOfPrograms('amd64', { names, packages: '${packages}', servers: '${servers}' });`;
    expect(() => fromScript(code)).toThrow(`no file of ${join(packages, 'postgres')} tells the version of PostgreSQL`);
  });
});
