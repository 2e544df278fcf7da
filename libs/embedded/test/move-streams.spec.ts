import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const program = join(import.meta.dirname, 'move-process.js');
/** Streams with the account that each belongs to; the last is one of the operator. */
const ACCOUNTS = { RECORDS: 'FEED', KV_TOKENS: 'PEOPLE', CHANNELS: 'PEOPLE', OF_THE_OPERATOR: 'FEED' };
const FILES = ['meta.inf', 'msgs/1.blk', 'obs/reader/o.dat'];
const MOST_CHANGES = 100;

/** Ends a move of streams like a crash; whether a bus can be read afterwards is in libs/nats/test/accounts-upgrade.spec.ts. */
describe('a move of streams that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-killed-move-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function busOfBefore(name: string): string {
    const bus = join(folder, name);
    for (const stream of Object.keys(ACCOUNTS)) {
      for (const file of FILES) {
        const path = join(bus, '$G', 'streams', stream, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `${file} of ${stream}`);
      }
    }
    return bus;
  }

  /** The content of every file, by its path. */
  function contentOf(bus: string): Record<string, string> {
    const files = readdirSync(bus, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    return Object.fromEntries(paths.map((path) => [relative(bus, path), readFileSync(path, 'utf8')]));
  }

  const moved = Object.fromEntries(
    Object.entries(ACCOUNTS).flatMap(([stream, account]) =>
      FILES.map((file) => [join(account, 'streams', stream, file), `${file} of ${stream}`]),
    ),
  );

  /** Whether it ended by itself. */
  function move(bus: string, changes: number): boolean {
    const { status, signal, stderr } = spawnSync(process.execPath, [program, bus, String(changes)], {
      encoding: 'utf8',
    });
    if (status !== 0 && signal !== 'SIGKILL') throw new Error(stderr);
    return status === 0;
  }

  it('has every file in one place after each step, and all in their accounts after the next start', () => {
    let steps = 0;
    for (; steps < MOST_CHANGES; steps++) {
      const bus = busOfBefore(`once-${steps}`);
      if (move(bus, steps)) break;
      expect(Object.values(contentOf(bus)).toSorted()).toEqual(Object.values(moved).toSorted());
      expect(move(bus, Infinity)).toBe(true);
      expect([steps, contentOf(bus), existsSync(join(bus, '$G', 'streams'))]).toEqual([steps, moved, false]);
    }
    // For each stream its folder, the renaming and four folders that are synchronised; then the empty folder.
    expect(steps).toBe(Object.keys(ACCOUNTS).length * 6 + 1);
  }, 60_000);

  it('goes on from one start to the next when each is killed after it has moved a stream', () => {
    const bus = busOfBefore('again');
    let starts = 1;
    while (!move(bus, 2)) starts++;
    expect([starts, contentOf(bus)]).toEqual([Object.keys(ACCOUNTS).length + 1, moved]);
  });
});
