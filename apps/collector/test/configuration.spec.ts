import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { RunningCollector, startRecord } from './running-collector.js';

describe('the configuration of front ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-configuration-'));
  const file = join(folder, 'front-ends.json');
  const started = new Started();
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  let natsUrl: string;
  let collector: RunningCollector;

  function write(content: unknown): void {
    writeFileSync(file, JSON.stringify(content));
  }

  /** `version`: the version that the front end reports to have. */
  async function requestConfiguration(frontEnd: string, { pool = '', version = '' } = {}): Promise<string> {
    const response = await collector.post(
      `<GetConfiguration Version="1.0"><Pool>${pool}</Pool><FrontEnd>${frontEnd}</FrontEnd>` +
        `<CurrentVersion>${version}</CurrentVersion></GetConfiguration>`,
      {},
      '/LDL/GetConfiguration',
    );
    return response.text();
  }

  function versionIn(answer: string): string {
    return / CurrentVersion="([0-9a-f]{24})"/.exec(answer)?.[1] ?? '';
  }

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
    write({ parameters: { maxopen: 100 }, pools: { pool1: { hidepii: true } }, frontEnds: { fe1: { maxopen: 25 } } });
    const env = { COLLECTOR_CONFIGURATION: file, COLLECTOR_ORIGIN: 'https://feed.example.test' };
    collector = started.add(await RunningCollector.start(natsUrl, env, pino({ level: 'error' }, sink)));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  it('is specific to each front end, and contains the URL for records', async () => {
    const records = '<parameter key="submituri">https://feed.example.test/LDL/RequestMessage</parameter>';
    expect(await requestConfiguration('fe1', { pool: 'POOL1' })).toMatch(
      new RegExp(
        `^<Configuration Version="1.0" culture="en-US" Kind="Listener" Identifier="fe1" CurrentVersion="[0-9a-f]{24}" AcceptedVersions="1.0 A C D" AcceptedReports="SipFailures" AcceptedBatch="64 400000">` +
          `${records}<parameter key="maxopen">25</parameter><parameter key="hidepii">True</parameter></Configuration>$`,
      ),
    );
    expect(await requestConfiguration('fe2')).toContain(
      `${records}<parameter key="maxopen">100</parameter></Configuration>`,
    );
  });

  it('is not sent again to a front end that has it, until it changes for that front end', async () => {
    const versions = {
      fe1: versionIn(await requestConfiguration('fe1')),
      fe2: versionIn(await requestConfiguration('fe2')),
    };
    expect(versions.fe1).not.toBe(versions.fe2);
    expect(await requestConfiguration('fe1', { version: versions.fe1 })).toBe(
      `<Configuration Version="1.0" culture="en-US" Kind="Listener" Identifier="fe1" CurrentVersion="${versions.fe1}" AcceptedVersions="1.0 A C D" AcceptedReports="SipFailures" AcceptedBatch="64 400000" Unchanged="True"/>`,
    );
    expect(await requestConfiguration('fe1', { version: 'another' })).toContain('key="maxopen"');

    write({ parameters: { maxopen: 100 }, frontEnds: { fe1: { maxopen: 30 } } });
    await eventually(
      'the change',
      async () => !(await requestConfiguration('fe1', { version: versions.fe1 })).includes('Unchanged'),
    );
    expect(await requestConfiguration('fe1', { version: versions.fe1 })).toContain(
      '<parameter key="maxopen">30</parameter>',
    );
    expect(await requestConfiguration('fe2', { version: versions.fe2 })).toContain('Unchanged="True"');
  });

  it('may contain another URL for records', async () => {
    write({ frontEnds: { fe1: { submituri: 'https://other.example.test/a?b=1&c=2' } } });
    const answer = await eventually('the change', async () => {
      const text = await requestConfiguration('fe1');
      return text.includes('other.example.test') && text;
    });
    expect(answer.match(/submituri/g)).toHaveLength(1);
    expect(answer).toContain('>https://other.example.test/a?b=1&amp;c=2<');
  });

  it('stays unchanged while the file is broken, and the error is logged', async () => {
    const before = await requestConfiguration('fe1');
    write({ frontends: {} });
    await eventually('the complaint', () => log.includes('has an unknown key \\"/frontends\\"'));
    expect(await requestConfiguration('fe1')).toBe(before);
    expect(await collector.count(startRecord())).toBe(1);
  });

  it('prevents a collector from starting when it is wrong', async () => {
    write([]);
    const start = RunningCollector.start(natsUrl, { COLLECTOR_CONFIGURATION: file });
    await expect(start).rejects.toThrow('COLLECTOR_CONFIGURATION must contain an object at "/"');
  });

  it('has the same version on every collector', async () => {
    write({ parameters: { maxopen: 7 } });
    const env = { COLLECTOR_CONFIGURATION: file, COLLECTOR_ORIGIN: 'https://feed.example.test' };
    const one = started.add(await RunningCollector.start(natsUrl, env));
    const two = started.add(await RunningCollector.start(natsUrl, env));
    const body = '<GetConfiguration><FrontEnd>fe1</FrontEnd></GetConfiguration>';
    const answers = await Promise.all([one, two].map(async (each) => (await each.post(body)).text()));
    expect(versionIn(answers[0] ?? '')).toMatch(/./);
    expect(answers[0]).toBe(answers[1]);
  });
});
