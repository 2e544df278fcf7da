import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, logged, running, type LaunchedSystem } from '@ringdown/testing/launched-system';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { Pebble } from '@ringdown/testing/servers/pebble';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { jest } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

jest.setTimeout(300_000);

const HOST = 'uc.example.org';
const FINALIZED = /Processing finalization/;

describe('a start with an authority', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-acme-start-'));
  let authority: Pebble;
  let env: Record<string, string>;
  let system: LaunchedSystem | undefined;

  beforeAll(async () => {
    const web = await freePort();
    authority = await Pebble.start({ httpPort: web, tlsPort: web });
    env = {
      ...(await freePorts()),
      PORT: String(web),
      DATA_DIR: join(folder, 'data'),
      PUBLIC_ORIGIN: `https://${HOST}`,
      ACME_DIRECTORY: authority.directory,
      ACME_CA_FILE: authority.caFile,
      ACME_TERMS: 'agreed',
    };
    await seedDatabase(join(folder, 'data', 'database'));
  });
  afterAll(async () => {
    await system?.stop();
    await authority.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function printed(program: string, ...args: readonly string[]): string {
    const given = { ...programEnvironment(), HOME: process.env['HOME'], LISTEN_HOST: '127.0.0.1', ...env };
    return spawnSync(process.execPath, [programFile('ringdown', program), ...args], { env: given, encoding: 'utf8' })
      .stdout;
  }

  it('is not stopped by one that is away, and says so in the welcome, the log, the status and the doctor', async () => {
    await authority.kill();
    system = launch(env);
    await running(system);
    const { host } = new URL(authority.directory);
    expect(system.stdout()).toContain(`made here until ${host} issues one, so browsers warn about it`);
    await logged(system, /there is no new certificate; the one before stays in use/);
    expect(printed('status')).toMatch(
      / {2}certificate +127\.0\.0\.1:\d+ cannot be reached: .*; let this machine connect/,
    );
    const found: readonly { check: string; state: string; text: string; remedy?: string }[] = JSON.parse(
      printed('doctor', '--json'),
    );
    expect(found.filter(({ check }) => check === 'certificate')).toEqual([
      {
        check: 'certificate',
        state: 'problem',
        text: expect.stringContaining('there is no new certificate: '),
        remedy: expect.stringContaining('ACME_DIRECTORY'),
      },
    ]);
    await system.stop();
    await authority.run();
  });

  it('goes on with the order of a process that was killed before it had the certificate', async () => {
    const certificate = join(folder, 'data/tls/acme/certificate.pem');
    const before = readFileSync(certificate, 'utf8');
    system = launch(env);
    // The next certificate is written here first. Nobody reads this pipe, so the write does not end.
    const pipe = `${certificate}.${system.process.pid}`;
    execFileSync('mkfifo', [pipe]);
    await eventually('the order', () => authority.lines(FINALIZED) > 0 || undefined);
    system.process.kill('SIGKILL');
    await system.ended;
    rmSync(pipe);
    expect(readFileSync(certificate, 'utf8')).toBe(before);
    system = launch(env);
    await running(system);
    await eventually('the certificate', () => readFileSync(certificate, 'utf8') !== before || undefined);
    expect([authority.lines(/Added order/), authority.lines(FINALIZED)]).toEqual([1, 1]);
    expect(existsSync(`${certificate}.${system.process.pid}`)).toBe(false);
    await system.stop();
  });

  it('gets another certificate when the file of the last one was deleted, as after a revocation', async () => {
    const certificate = join(folder, 'data/tls/acme/certificate.pem');
    const revoked = new X509Certificate(readFileSync(certificate));
    rmSync(certificate);
    system = launch(env);
    await running(system);
    const next = await eventually('the next certificate', () => {
      const found = new X509Certificate(readFileSync(certificate));
      return found.issuer === revoked.issuer && found;
    });
    expect(next.fingerprint256).not.toBe(revoked.fingerprint256);
  });
});
