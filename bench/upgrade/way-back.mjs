// What the copy before an upgrade costs on the system of `npm start`, and the way back: a long history in its own database, taken over as
// if the version before this one had left it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@ringdown/embedded';
import { embeddedDatabaseUrl } from '@ringdown/embedded/database';
import { Client } from 'pg';
import { programFile } from '../../scripts/prepare.mjs';
import { folderBytes } from '../feed/bytes.mjs';
import { feed } from '../feed/traffic.mjs';
import { copyCalls } from './copies.mjs';

/** Posted; the others are copies of these. */
const SAMPLE = 10_000;
const CONNECTIONS = 32;

/** Returns `{ calls, bytes, files, copySeconds, readySeconds, startSeconds, downgradeSeconds }`; throws if a call is lost. */
export async function measureWayBack(calls, log) {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-way-back-'));
  const system = new System(join(folder, 'data'), { PORT: await freePort(), COLLECTOR_PORT: await freePort() });
  try {
    await system.start();
    log(`posting ${SAMPLE} calls …`);
    await system.post(feed({ calls: SAMPLE, begin: Date.now() - 3_600_000 }));
    const { calls: stored } = await copyCalls({ url: system.databaseUrl }, calls, log);
    await system.stop();
    system.becomeOlder();
    const bytes = folderBytes(system.data);
    log('upgrading …');
    const readySeconds = await system.start();
    const [, files, copySeconds] = / in (\d+) files copied in ([\d.]+) s/.exec(system.errors) ?? [];
    await system.stop();
    const startSeconds = await system.start();
    await system.stop();
    const begun = performance.now();
    system.run('downgrade');
    const downgradeSeconds = (performance.now() - begun) / 1_000;
    system.run('downgrade', '--allow-upgrade');
    await system.start({ UPGRADE_COPY: 'off' });
    const left = await system.calls();
    if (left !== stored) throw new Error(`${stored} calls were stored, and ${left} are there after the way back`);
    return { calls: stored, bytes, files, copySeconds, readySeconds, startSeconds, downgradeSeconds };
  } finally {
    await system.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class System {
  errors = '';
  #process;
  #env;

  constructor(data, ports) {
    this.data = data;
    this.collector = `http://127.0.0.1:${ports.COLLECTOR_PORT}/Ringdown/RequestMessage`;
    this.#env = { ...process.env, DATA_DIR: data, INNER_PORT: '0', LOG_LEVEL: 'error' };
    for (const [name, port] of Object.entries(ports)) this.#env[name] = String(port);
  }

  get databaseUrl() {
    return embeddedDatabaseUrl(join(this.data, 'database'));
  }

  /** Seconds until it is ready. */
  async start(env = {}) {
    const begun = performance.now();
    this.#process = spawn(process.execPath, [programFile('ringdown/main')], { env: { ...this.#env, ...env } });
    [this.errors, this.output] = ['', ''];
    this.#process.stderr.on('data', (text) => (this.errors += text));
    this.#process.stdout.on('data', (text) => (this.output += text));
    while (!this.output.includes('Ringdown is running')) {
      if (this.#process.exitCode !== null) throw new Error(`the system has ended: ${this.errors}`);
      await sleep(20);
    }
    return (performance.now() - begun) / 1_000;
  }

  async stop() {
    if (this.#process === undefined || this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }

  /** Each record once, until all of it is in calls. */
  async post(records) {
    const headers = { 'content-type': 'text/xml' };
    const callIds = new Set();
    const sender = async () => {
      for (const { callId, xml } of records) {
        callIds.add(callId);
        const { status } = await fetch(this.collector, { method: 'POST', headers, body: xml });
        if (status !== 200) throw new Error(`a record was answered with ${status}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    while ((await this.calls()) < callIds.size) await sleep(200);
  }

  async calls() {
    const database = new Client({ connectionString: this.databaseUrl });
    await database.connect();
    const { rows } = await database.query('select count(*)::integer as calls from calls');
    await database.end();
    return rows[0].calls;
  }

  /** As if the version before this one had left the data. */
  becomeOlder() {
    const file = join(this.data, 'data-version.json');
    const found = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...found, schema: found.schema - 1 }));
  }

  run(...command) {
    const [name, ...args] = command;
    const { status, stderr } = spawnSync(process.execPath, [programFile(`ringdown/${name}`), ...args], {
      env: this.#env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} has ended with ${status}: ${stderr}`);
  }
}
