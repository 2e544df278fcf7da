// node make.mjs CHECKOUT, with a Node of 24: starts the system of a built checkout of commit c8ee6b49, fills it with calls, saved searches,
// alert rules and people, and writes here what its API answers (answers.json.gz) and a backup by its own command (backup.tgz).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { questionsAbout } from './questions.mjs';

const RECORDS_OF_VERSION = 5;
const SEED = 41;
const CALLS = 6;
const PASSWORDS = ['dave@example.test', 'erin@example.test'];

const SEARCHES = [
  {
    name: 'Bad by codec',
    shared: true,
    parameters: { codec: ['PCMU', 'SIREN'], 'not.state': 'failed', sort: 'longest' },
  },
  { name: 'User 37', shared: true, parameters: { user: 'sip:user37@example.test', verdict: 'bad,poor' } },
  {
    name: 'Numbers',
    parameters: { minLoss: '0.05', maxJitter: '50', minMos: '1', minLinkSpeed: '1000000', q: 'example user' },
  },
  {
    name: 'Networks',
    shared: true,
    parameters: {
      address: '10.0.0.0/8',
      endReason: 'ended',
      endedBy: 'caller',
      path: 'relay',
      bssid: '00-11-22-33-44-55',
    },
  },
];
const RULES = [
  {
    name: 'Bad calls',
    measure: 'badCalls',
    limit: 0.01,
    minimumCalls: 1,
    windowSeconds: 86_400,
    search: { codec: ['SIREN', 'PCMU'] },
    by: 'frontEnd',
  },
  {
    name: 'MOS of a user',
    measure: 'mos',
    limit: 4.9,
    minimumCalls: 1,
    windowSeconds: 86_400,
    search: { 'not.user': 'sip:zaphod@example.test' },
  },
  {
    name: 'By driver',
    measure: 'badCalls',
    limit: 0.5,
    by: 'driver',
    enabled: false,
    severity: 'critical',
    silences: [{ from: '22:00', to: '06:00', days: ['sunday'] }],
  },
];

const [checkout] = process.argv.slice(2);
const from = (path) => import(join(checkout, path));
const { eventually, freePorts, launch, running, SystemClient } = await from('libs/testing/dist/src/index.js');
const { generatedRecords } = await from('apps/aggregator/dist/test/generated-leaves.js');
const { endXml } = await from('apps/aggregator/dist/test/feed-examples.js');
const { feed } = await from('bench/feed/traffic.mjs');

const folder = mkdtempSync(join(tmpdir(), 'ringdown-old-'));
const data = join(folder, 'data');
const ports = await freePorts();
const system = launch({ ...ports, DATA_DIR: data, COLLECTOR_MAX_FRONT_ENDS: '1000' });
await running(system);
const client = new SystemClient(data, ports);
const token = await client.signIn('carol');

async function send(path, content) {
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await client.as(token, path, { method: 'POST', headers, body: JSON.stringify(content) });
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text);
}

const records = [
  ...['1.0', 'A', 'C', 'D'].flatMap((version) => generatedRecords(version, RECORDS_OF_VERSION, SEED)),
  ...feed({ calls: CALLS, openCalls: 2, begin: Date.now() - 3_600_000 }),
];
for (const { xml } of records) await client.post(xml);
const callIds = [...new Set(records.map(({ callId }) => callId))];
const isCall = (callId, condition) =>
  eventually(
    callId,
    async () => {
      const { status, text } = await client.as(token, `/api/calls/${encodeURIComponent(callId)}`);
      return status === 200 && condition(JSON.parse(text));
    },
    120_000,
  );
const isOver = ({ state }) => ['ended', 'failed', 'reported', 'expired'].includes(state);
for (const callId of callIds) await isCall(callId, () => true);
// Calls in progress change by themselves, when the time of one is out.
for (const callId of callIds) {
  const { text } = await client.as(token, `/api/calls/${encodeURIComponent(callId)}`);
  if (isOver(JSON.parse(text))) continue;
  await client.post(endXml({ callId, frontEnd: 'fe1.example.test', at: new Date().toISOString() }));
  await isCall(callId, isOver);
}
for (const search of SEARCHES) await send('/api/searches', search);
for (const rule of RULES) await send('/api/alert-rules', rule);
const alerts = async () => JSON.parse((await client.as(token, '/api/alerts?limit=200')).text).items.length > 0;
await eventually('an alert', alerts, 300_000);
const passwords = {};
for (const username of PASSWORDS)
  passwords[username] = (await send('/api/people', { username, name: username, roles: ['operator'] })).password;

const answers = {};
for (const path of questionsAbout(callIds)) {
  const { status, text } = await client.as(token, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  answers[path] = text;
}
const target = (name) => join(import.meta.dirname, name);
writeFileSync(target('answers.json.gz'), gzipSync(JSON.stringify({ passwords, answers }), { level: 9 }));
const backup = join(folder, 'backup');
const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data };
execFileSync(process.execPath, [join(checkout, 'apps/ringdown/dist/src/backup-main.js'), backup], { env });
execFileSync('tar', ['-czf', target('backup.tgz'), '-C', backup, '.']);
await client.stop();
await system.stop();
rmSync(folder, { recursive: true });
process.exit(0);
