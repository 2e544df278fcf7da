import { sender } from './programs.js';
import { RecordingCollector, xml } from './recording-collector.js';

describe('ringdown-sender demo', () => {
  let collector: RecordingCollector;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
  });

  afterEach(() => collector.stop());

  it('tells of a day of calls and closes with one line of JSON', async () => {
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

  it('shows a person how far it is, and a summary', async () => {
    const { exitCode, stdout, stderr } = await sender(['demo', '--to', collector.url, '--duration', '0']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Sending \d+ records of 72 calls\.\n(\d+\/\d+ records, it is \d\d:\d\d\n){4}$/);
    expect(stdout).toMatch(/^\d+ records of 72 calls from 2 front ends in [\d.]+ s: all answered\n$/);
  });

  it('counts what is refused, and ends with 1', async () => {
    collector.answer = (response, count) => xml(response, count % 2 ? 200 : 400, `<Count>${count}</Count>`);
    const { exitCode, stdout } = await sender(['demo', '--to', collector.url, '--duration', '0']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/: \d+ answered, (\d+) failed \(\1 refused, 0 not taken, 0 lost\)\n$/);
  });

  it('says in a line that no collector is there', async () => {
    await collector.stop();
    const { exitCode, stdout, stderr } = await sender(['demo', '--to', collector.url]);
    await collector.start();
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `ringdown-sender: no collector answers at ${collector.url}: connection refused\n` +
        'Start Ringdown with "npm start", or name a collector with --to.\n',
    );
  });

  it.each([
    [['demo', '--to', 'nowhere'], 'the address must be a URL like http://localhost:8080, not "nowhere"'],
    [['demo', '--seed', 'x'], '--seed must be a whole number'],
  ])('ends with 2 for %j', async (args, message) => {
    const { exitCode, stderr } = await sender(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`ringdown-sender: ${message}`);
  });
});
