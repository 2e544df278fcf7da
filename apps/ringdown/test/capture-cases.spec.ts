import { sender } from '@ringdown/sender/test/programs.js';
import { eventually } from '@ringdown/testing/eventually';
import { CHECKOUT } from '@ringdown/testing/guide-shell';
import { freePorts, launch, type LaunchedSystem, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CaseCall, type CaseResult, type Check, wrongIn } from './capture-cases/case-checks.js';

const CASES_FOLDER = join(CHECKOUT, 'apps/ringdown/test/capture-cases');

interface Case {
  readonly name: string;
  readonly file: string;
  readonly what: string;
  readonly right: string;
  readonly expect: readonly Check[];
}

function readCases(): readonly Case[] {
  const cases: Record<string, Omit<Case, 'name'>> = JSON.parse(
    readFileSync(join(CASES_FOLDER, 'expected.json'), 'utf8'),
  );
  return Object.entries(cases).map(([name, rest]) => ({ name, ...rest }));
}

/** Capture -> sender -> collector -> bus -> aggregator -> database -> query API, as an operator uses them. */
describe('the calls of a capture are right when', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-capture-cases-'));
  let system: LaunchedSystem;
  let client: SystemClient;
  let token: string;

  beforeAll(async () => {
    const ports = await freePorts();
    mkdirSync(join(folder, 'data'));
    await seedDatabase(join(folder, 'data', 'database'));
    system = launch({ ...ports, DATA_DIR: join(folder, 'data') });
    await running(system);
    client = new SystemClient(join(folder, 'data'), ports);
    token = await client.signIn('carol');
  });

  afterAll(async () => {
    await client.stop();
    await system.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Each case has a front end of its own, so that all can share a system. */
  async function replay(name: string, file: string): Promise<CaseResult['summary'] & { readonly records: number }> {
    const capture = join(folder, file);
    writeFileSync(capture, gunzipSync(readFileSync(join(CASES_FOLDER, `${file}.gz`))));
    const options = ['--to', client.collector, '--speed', '0', '--json'];
    const { stdout, stderr, exitCode } = await sender(['replay', capture, ...options], { FRONT_END: name });
    if (stdout === '') throw new Error(`replay of ${file} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async function get<T>(path: string): Promise<T> {
    const { status, text } = await client.as(token, path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  async function callOf(callId: string): Promise<CaseCall> {
    const path = `/api/calls/${encodeURIComponent(callId)}`;
    const call = await get<CaseCall>(path);
    const { items } = await get<{ items: CaseCall['timeline'] }>(`${path}/timeline`);
    return { ...call, timeline: items };
  }

  /** All records of the case are in its calls. */
  function callsOf(name: string, records: number): Promise<readonly CaseCall[]> {
    return eventually(`${records} records of ${name}`, async () => {
      const path = `/api/calls?frontEnd=${name}&from=1970-01-01T00:00:00Z`;
      const { items } = await get<{ items: { callId: string }[] }>(path);
      const calls = await Promise.all(items.map(({ callId }) => callOf(callId)));
      return calls.reduce((sum, call) => sum + call.records.length, 0) === records && calls;
    });
  }

  it.each(readCases())('$name: $what', async ({ name, file, expect: checks }) => {
    const summary = await replay(name, file);
    const calls = await callsOf(name, summary.records);
    expect(wrongIn({ calls, summary }, checks)).toEqual([]);
  });
});
