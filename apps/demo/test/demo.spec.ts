import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@ringdown/testing/eventually';
import { programFile } from '@ringdown/testing/program-file';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';

const main = programFile('demo');
/** Fast: a short past, and no live part. */
const SHORT = ['--hours', '0.2', '--duration', '0'];

interface Ended {
  readonly exitCode: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
function demo(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}

function callsWith(collector: RecordingCollector, element: string): ReadonlySet<string> {
  const bodies = collector.records.map(({ body }) => body).filter((body) => body.includes(`<${element}`));
  return new Set(bodies.map((body) => /<CallId>([^<]+)</.exec(body)?.[1] ?? ''));
}

describe('npm run demo', () => {
  let collector: RecordingCollector;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
  });

  afterEach(() => collector.stop());

  it('sends calls that all end, each post marked as back-fill, and prints one line of JSON', async () => {
    const { exitCode, stdout, stderr } = await demo(['--to', collector.url, ...SHORT, '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    const records = collector.received.filter(({ path }) => path.endsWith('/RequestMessage'));
    expect(JSON.parse(stdout)).toMatchObject({
      frontEnds: 3,
      records: records.length,
      recordsFailed: 0,
      interrupted: false,
    });
    expect(records.every(({ headers }) => headers['ringdown-backfill'] === 'true')).toBe(true);
    const over = callsWith(collector, 'Bye').union(callsWith(collector, 'Error'));
    expect(callsWith(collector, 'Invite').difference(over)).toEqual(new Set());
    expect(over.size).toBeGreaterThan(30);
    expect(collector.received.some(({ path }) => path.endsWith('/TraceMessages'))).toBe(true);
  });

  it('prints what it does and a summary as text', async () => {
    const { exitCode, stdout, stderr } = await demo(['--to', collector.url, ...SHORT]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Sending calls since [^\n]+, marked as back-fill\.\n/);
    expect(stdout).toMatch(/^\d+ records of \d+ calls from 3 front ends in [\d.]+ s: all answered\n$/);
  });

  it('waits for a collector that goes away, says so once, and goes on', async () => {
    const child = spawn(process.execPath, [main, '--to', collector.url, '--hours', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    await eventually('live calls', () => stderr.includes('until Ctrl-C'));
    await collector.stop();
    await eventually('the outage', () => stderr.includes('The collector does not answer; waiting for it.'));
    await collector.start();
    await eventually('the end of the outage', () => stderr.includes('The collector answers again.'));
    child.kill('SIGTERM');
    expect(await exited).toEqual([130, null]);
    // A busy machine can be away for a moment more: each outage is reported once, and its end.
    const reported = stderr.match(/does not answer|answers again/g) ?? [];
    expect(reported.filter((each, n) => each !== (n % 2 === 0 ? 'does not answer' : 'answers again'))).toEqual([]);
    const over = callsWith(collector, 'Bye').union(callsWith(collector, 'Error'));
    expect(callsWith(collector, 'Invite').difference(over)).toEqual(new Set());
  });

  it('counts refused records, and exits with 1', async () => {
    collector.answer = (response, count) => xml(response, count % 2 ? 200 : 400, `<Count>${count}</Count>`);
    const { exitCode, stdout } = await demo(['--to', collector.url, ...SHORT]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/: \d+ answered with 200, (\d+) not \(\1 refused, 0 failed, 0 lost\)/);
  });

  it('reports that no collector answers, as text and as JSON', async () => {
    await collector.stop();
    const [person, machine] = await Promise.all([
      demo(['--to', collector.url]),
      demo(['--to', collector.url, '--json']),
    ]);
    await collector.start();
    const error = `no collector answers at ${collector.url}: connection refused`;
    expect([person.exitCode, person.stdout, person.stderr]).toEqual([1, '', `ringdown-demo: ${error}\n`]);
    expect([machine.exitCode, machine.stderr]).toEqual([1, `ringdown-demo: ${error}\n`]);
    expect(machine.stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(machine.stdout)).toMatchObject({ records: 0, recordsFailed: 0, interrupted: false, error });
  });

  it('counts answers without a Count', async () => {
    collector.answer = (response) => xml(response, 200, '<<< no &');
    const { exitCode, stdout } = await demo(['--to', collector.url, ...SHORT]);
    expect(stdout).toMatch(/^(\d+) records .*: all answered, \1 without a Count \(is this a collector\?\)\n$/);
    expect(exitCode).toBe(0);
  });

  it.each([
    [['--to', 'nowhere'], 'the address must be a URL like http://localhost:8080, not "nowhere"'],
    [['--seed', 'x'], '--seed must be a whole number from 0 to 4294967295, not "x"'],
    [['--hours', '999'], '--hours must be a number from 0 to 168, not "999"'],
    [['dance'], 'unexpected argument "dance"'],
  ])('exits with 2 for %j', async (args, message) => {
    const { exitCode, stderr } = await demo(args);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`ringdown-demo: ${message}\nsee npm run demo -- --help\n`);
  });
});
