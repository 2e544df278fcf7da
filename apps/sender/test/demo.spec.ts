import { version } from '../src/usage.js';
import { sender } from './programs.js';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';

describe('ringdown-sender demo', () => {
  let collector: RecordingCollector;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
  });

  afterEach(() => collector.stop());

  it('sends a day of calls and prints one line of JSON', async () => {
    const { exitCode, stdout, stderr } = await sender(['demo', '--to', collector.url, '--duration', '1', '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      calls: 72,
      frontEnds: 2,
      records: collector.records.length,
      recordsAnswered: collector.records.length,
      recordsFailed: 0,
      interrupted: false,
    });
    expect(collector.received.length - collector.records.length).toBe(2);
    expect(collector.records.length).toBeGreaterThan(150);
  });

  it('prints progress and a summary as text', async () => {
    const { exitCode, stdout, stderr } = await sender(['demo', '--to', collector.url, '--duration', '0']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Sending \d+ records of 72 calls\.\n(\d+\/\d+ records, scripted time \d\d:\d\d\n){4}$/);
    expect(stdout).toMatch(/^\d+ records of 72 calls from 2 front ends in [\d.]+ s: all answered\n$/);
  });

  it('counts refused records, and exits with 1', async () => {
    collector.answer = (response, count) => xml(response, count % 2 ? 200 : 400, `<Count>${count}</Count>`);
    const { exitCode, stdout } = await sender(['demo', '--to', collector.url, '--duration', '0']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/: \d+ answered with 200, (\d+) not \(\1 refused, 0 failed, 0 lost\)\n$/);
  });

  it('reports that no collector answers, as text and as JSON', async () => {
    await collector.stop();
    const [person, machine] = await Promise.all([
      sender(['demo', '--to', collector.url]),
      sender(['demo', '--to', collector.url, '--json']),
    ]);
    await collector.start();
    const error = `no collector answers at ${collector.url}: connection refused`;
    expect([person.exitCode, person.stdout, person.stderr]).toEqual([1, '', `ringdown-sender: ${error}\n`]);
    expect([machine.exitCode, machine.stderr]).toEqual([1, `ringdown-sender: ${error}\n`]);
    expect(machine.stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(machine.stdout)).toMatchObject({ records: 0, recordsFailed: 0, interrupted: false, error });
  });

  it('counts answers without a Count', async () => {
    collector.answer = (response) => xml(response, 200, '<<< no &');
    const { exitCode, stdout } = await sender(['demo', '--to', collector.url, '--duration', '0']);
    expect(stdout).toMatch(/^(\d+) records .*: all answered, \1 without a Count \(is this a collector\?\)\n$/);
    expect(exitCode).toBe(0);
  });

  it.each([
    [['demo', '--to', 'nowhere'], 'the address must be a URL like http://localhost:8080, not "nowhere"', 'demo '],
    [['demo', '--seed', 'x'], '--seed must be a whole number from 0 to 4294967295, not "x"', 'demo '],
    [['dance'], 'unknown command "dance"; commands: run, generate, replay, status, demo', ''],
  ])('exits with 2 for %j', async (args, message, command) => {
    const { exitCode, stderr } = await sender(args);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`ringdown-sender: ${message}\nsee ringdown-sender ${command}--help\n`);
  });

  it('prints its version', async () => {
    const { exitCode, stdout } = await sender(['--version']);
    expect(stdout).toBe(`${version()}\n`);
    expect(exitCode).toBe(0);
  });
});
