import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

const LINES = 2000;
const LOGGER = new URL('./logger.js', import.meta.url).href;
const PROGRAM = '"$0" --input-type=module --eval "$1"';
/** The log goes to this shell's output, which is not read at first; what the program itself prints to descriptor 3. */
const STANDARD_ERRORS = {
  socket: `${PROGRAM} 2>&1`,
  pipe: `${PROGRAM} 2>&1 | cat`,
  terminal: `script --quiet --return --command '${PROGRAM.replaceAll('$0', '$NODE').replaceAll('$1', '$PROGRAM')}' /dev/null`,
};

let child: ChildProcess | undefined;

/** With all that it has started. */
afterEach(() => {
  if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
});

async function timerHasRun(printed: Readable): Promise<void> {
  await once(printed, 'data', { signal: AbortSignal.timeout(10_000) });
}

/** Logs that many lines, prints when its timer has run, and ends in that way. */
function start(to: keyof typeof STANDARD_ERRORS, lines: number, end: string): { log: Readable; printed: Readable } {
  const program = `
    import { writeSync } from 'node:fs';
    import { createLogger } from '${LOGGER}';
    const logger = createLogger('test', { logLevel: 'info', logFormat: 'pretty' });
    for (let i = 0; i < ${lines}; i++) logger.info('line ' + i + ' ' + '.'.repeat(1000));
    setTimeout(() => { writeSync(3, 'timer has run'); ${end} }, 10);`;
  child = spawn('sh', ['-c', STANDARD_ERRORS[to], process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, NODE: process.execPath, PROGRAM: program },
    detached: true,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the pipes above
  const [, log, , printed] = child.stdio as unknown as [null, Readable, null, Readable];
  return { log, printed };
}

/** The numbers of the lines that are complete. */
function numbersIn(log: string): number[] {
  return log.split('\n').flatMap((line) => {
    const found = /line (\d+) \.{1000}(?!\.)/.exec(line);
    return found === null ? [] : [Number(found[1])];
  });
}

describe('the pretty log', () => {
  const all = Array.from({ length: LINES }, (_, i) => i);

  it.each([
    ['socket', 'its last timer', ''],
    ['socket', 'process.exit', 'process.exit(1);'],
    ['pipe', 'its last timer', ''],
    ['pipe', 'process.exit', 'process.exit(1);'],
    ['pipe', 'an uncaught error', 'throw new Error("uncaught");'],
    ['terminal', 'process.exit', 'process.exit(1);'],
  ] as const)('stops nothing while a %s is not read, and is complete at the end by %s', async (to, _name, end) => {
    const { log, printed } = start(to, LINES, end);
    await timerHasRun(printed);
    expect(numbersIn(await text(log))).toEqual(all);
  });

  it('is written before a signal that ends the process', async () => {
    const { log } = start('pipe', 10, 'process.kill(process.pid, "SIGTERM");');
    expect(numbersIn(await text(log))).toEqual(all.slice(0, 10));
  });

  it('keeps 4 MB while it is not read, and says how many lines it has dropped', async () => {
    const { log, printed } = start('pipe', 6000, '');
    await timerHasRun(printed);
    const written = await text(log);
    const numbers = numbersIn(written);
    expect(numbers.length).toBeLessThan(5000);
    expect(numbers.at(-1)).toBe(numbers.length - 1);
    expect(written).toContain(`\n${6000 - numbers.length} lines of the log were dropped while nobody read it\n`);
  });
});
