import { readFileSync } from 'node:fs';
import { runSizingCommand } from './command.js';
import { FIGURES } from './figures.js';

/** Compiled, this file is in `apps/ringdown/dist/src/sizing`. */
const documentOf = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');

function sizing(...args: readonly string[]): { exitCode: number; out: string; err: string } {
  const printed = { out: '', err: '' };
  const exitCode = runSizingCommand(args, {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
  });
  return { exitCode, ...printed };
}

describe('npm run sizing', () => {
  it('uses the figures of docs/performance.md', () => {
    const rows = documentOf('performance.md').matchAll(/^\| (\w+): [^|]* \| +([\d.,]+) \| (\S+) +\|/gm);
    const units: Partial<Record<string, number>> = { bytes: 1, 'records/s': 1, MB: 1_000_000 };
    const documented = [...rows].map(([, name, value = '', unit = '']) => [
      name,
      Math.round(Number(value.replaceAll(',', '')) * (units[unit] ?? NaN)),
    ]);
    expect(Object.fromEntries(documented)).toEqual(FIGURES);
  });

  it('prints what the guide shows', () => {
    const { exitCode, out } = sizing('--calls-per-hour', '10000', '--capture-points', '1');
    const [shown = ''] = out.split('\n\n');
    expect(exitCode).toBe(0);
    expect(documentOf('guides/operating.md')).toContain(`\`\`\`\n${shown}\n\`\`\`\n`);
  });

  it('grows with each of its options', () => {
    const base = ['--calls-per-hour', '100000', '--capture-points', '1'];
    const { out } = sizing(...base);
    for (const more of [
      ['--calls-per-day', '1000000'],
      ['--records-per-call', '40'],
      ['--minutes-per-call', '60'],
      ['--history-days', '365'],
      ['--bus-hours', '720'],
      ['--messages-per-call', '20'],
      ['--trace-days', '30'],
      ['--people', '100000'],
      ['--polls', '10000'],
    ])
      expect([more, sizing(...base, ...more).out === out]).toEqual([more, false]);
  });

  /** For records a second of calls with four. */
  const rowsOf = (recordsPerSecond: number, ...options: readonly string[]): Readonly<Record<string, string>> => {
    const { out } = sizing('--calls-per-hour', String(recordsPerSecond * 900), ...options);
    return Object.fromEntries(out.split('\n').map((line) => [line.slice(0, 30).trim(), line.slice(31)]));
  };

  it('gives no aggregator more than half of what it can take, whose partitions are whole', () => {
    const divided = (recordsPerSecond: number): readonly unknown[] => {
      const { partitions, aggregators } = rowsOf(recordsPerSecond);
      return [partitions, aggregators];
    };
    expect(divided(0)).toEqual(['FEED_PARTITIONS=8', 'AGGREGATOR_REPLICAS=1']);
    expect(divided(3_900)).toEqual(['FEED_PARTITIONS=8', 'AGGREGATOR_REPLICAS=1']);
    // Two with four partitions each, not one with all of them; then three with at most three.
    expect(divided(4_000)).toEqual(['FEED_PARTITIONS=8', 'AGGREGATOR_REPLICAS=2']);
    expect(divided(8_000)).toEqual(['FEED_PARTITIONS=8', 'AGGREGATOR_REPLICAS=3']);
    // Five aggregators would do by their rate, but one of them had two partitions of 2,375.
    expect(divided(19_000)).toEqual(['FEED_PARTITIONS=8', 'AGGREGATOR_REPLICAS=8']);
  });

  it('divides the front ends among systems before the bus sends more than half of its network', () => {
    expect(rowsOf(30_000)).not.toHaveProperty('systems');
    const large = rowsOf(100_000);
    expect(large['systems']).toMatch(/^4: divide the front ends among them/);
    expect(large['records in the busiest hour']).toBe('25,000 a second');
    expect(large['aggregators']).toBe('AGGREGATOR_REPLICAS=8');
    expect(large['the bus sends']).toMatch(/^400 MB a second/);
    expect(rowsOf(100_000, '--records-per-call', '3000')['systems']).toMatch(/^\d{4}: /);
  });

  it.each([
    [[], '--calls-per-hour is missing'],
    [['--calls-per-hour'], "Option '--calls-per-hour <value>' argument missing"],
    [['--calls-per-hour=-5'], '--calls-per-hour must be a number from 0 to 100000000, not -5'],
    [['--calls-per-hour', '1e3'], '--calls-per-hour must be a number from 0 to 100000000, not 1e3'],
    [['--calls-per-hour', ''], '--calls-per-hour must be a number from 0 to 100000000, not '],
    [
      ['--calls-per-hour', '1', '--history-days', '36501'],
      '--history-days must be a number from 0 to 36500, not 36501',
    ],
    [['--calls', '1'], "Unknown option '--calls'"],
    [['1000'], "Unexpected argument '1000'"],
  ])('rejects %j in one line, and shows its usage', (args, reason) => {
    const { exitCode, out, err } = sizing(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err.split('\n')[0]).toContain(`sizing: ${reason}`);
    expect(err).toContain('Usage: npm run sizing -- --calls-per-hour N');
  });

  it('explains its options', () => {
    expect(sizing('--help')).toMatchObject({ exitCode: 0, err: '' });
    for (const name of ['history-days', 'capture-points', 'polls'])
      expect(sizing('--help').out).toContain(`--${name} `);
  });
});
