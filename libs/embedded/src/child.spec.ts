import { createLogger } from '@ringdown/observability';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Child, type ChildOptions, type ChildState } from './child.js';
import type { ProbeResult } from './silence.js';

const never = (): Promise<void> => new Promise(() => undefined);

/** Whether a process has that argument. */
function hasArgument(pid: string, argument: string): boolean {
  const file = join('/proc', pid, 'cmdline');
  return /^\d+$/.test(pid) && existsSync(file) && readFileSync(file, 'utf8').split('\0').includes(argument);
}

describe('a child process', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-child-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function optionsOf(program: string, ready: ChildOptions['ready']): ChildOptions {
    return {
      name: 'child',
      command: process.execPath,
      args: ['-e', program, folder],
      ownFile: folder,
      pidFile: join(folder, 'child.pid'),
      logger: createLogger('test', { logLevel: 'fatal', logFormat: 'json' }),
      ready,
    };
  }

  it('is not waited for when it ends before it is ready', async () => {
    let signal: AbortSignal | undefined;
    const starting = Child.start(
      optionsOf('process.exit(1)', (_pid, ended) => {
        signal = ended;
        return never();
      }),
    );
    await expect(starting).rejects.toThrow('child ended at start');
    expect(signal?.aborted).toBe(true);
  });

  it('is reported with its last words, also when they are read after its end', async () => {
    const program = `require('node:child_process').spawn('sh', ['-c', 'sleep 0.1; echo no room'], { stdio: 'inherit' }).unref(); process.exit(1)`;
    await expect(Child.start(optionsOf(program, never))).rejects.toThrow('child ended at start: no room');
  });

  it('has no setting or secret of its parent in its environment', async () => {
    process.env['OIDC_CLIENT_SECRET'] = 'a secret of the parent';
    try {
      const child = await Child.start(optionsOf('setInterval(() => undefined, 1000)', () => Promise.resolve()));
      const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8');
      await child.stop();
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('a secret of the parent');
    } finally {
      delete process.env['OIDC_CLIENT_SECRET'];
    }
  });

  it('stays stopped when it is stopped during a restart', async () => {
    let starts = 0;
    const startsAgain = Promise.withResolvers<void>();
    const options = optionsOf('setInterval(() => undefined, 1000)', () => {
      if (++starts === 1) return Promise.resolve();
      startsAgain.resolve();
      return never();
    });
    const errors: unknown[] = [];
    const { logger } = options;
    logger.error = (...line: unknown[]) => void errors.push(line[1]);
    const child = await Child.start(options);
    process.kill(child.pid ?? 0, 'SIGKILL');
    await startsAgain.promise;
    await child.stop();
    await turn();
    expect(errors).toEqual(['child ended unexpectedly; restarting it']);
  });

  const COULD_NOT_LOOK = { couldNotLook: 'connect EMFILE 127.0.0.1:4222' };

  /** Runs a child whose probes find these, one after the other, and then that it responds. */
  async function watched(found: readonly ProbeResult[]): Promise<{ lines: unknown[]; state: ChildState }> {
    const lines: unknown[] = [];
    let probes = 0;
    const allProbed = Promise.withResolvers<void>();
    const options: ChildOptions = {
      ...optionsOf('setInterval(() => undefined, 1000)', () => Promise.resolve()),
      watchMs: 1,
      probe: () => {
        if (probes === found.length) allProbed.resolve();
        return Promise.resolve(found[probes++] ?? 'responds');
      },
    };
    const { logger } = options;
    logger.error = (line: unknown) => void lines.push(line);
    logger.warn = (...line: unknown[]) => void lines.push(line.at(-1));
    const child = await Child.start(options);
    await allProbed.promise;
    const { state } = child;
    await child.stop();
    return { lines, state };
  }

  it('is ended and started again when two probes in a row find it silent', async () => {
    const since = new Date();
    const { lines, state } = await watched(['silent', 'responds', 'silent', 'silent']);
    expect(state).toEqual({ restarts: 1, restartedAt: expect.any(Date), problem: undefined });
    expect(state.restartedAt?.getTime()).toBeGreaterThanOrEqual(since.getTime());
    expect(lines).toEqual(['child does not respond; ending it', { reason: 'it did not respond' }]);
  });

  it('that is killed is reported with the signal, not with its last line', async () => {
    const options = optionsOf("console.log('works'); setInterval(() => undefined, 1000)", () => Promise.resolve());
    const reported = Promise.withResolvers<unknown>();
    options.logger.error = (...line: unknown[]) => reported.resolve(line);
    const child = await Child.start(options);
    process.kill(child.pid ?? 0, 'SIGKILL');
    expect(await reported.promise).toEqual([{ reason: 'signal SIGKILL' }, 'child ended unexpectedly; restarting it']);
    expect(child.state.problem).toBe('child ended: signal SIGKILL');
    await child.stop();
  });

  it('is left alone while probes cannot look, which is logged once', async () => {
    const many = Array.from({ length: 10 }, () => COULD_NOT_LOOK);
    const { lines, state } = await watched([...many, 'silent', ...many, 'responds']);
    expect(state).toEqual({ restarts: 0, restartedAt: undefined, problem: undefined });
    expect(lines).toEqual([
      'it could not be checked whether child responds; it is left alone',
      'it can be checked again whether child responds',
      'it could not be checked whether child responds; it is left alone',
      'it can be checked again whether child responds',
    ]);
  });

  it('that cannot be started again is reported, and not waited for by a stop', async () => {
    const file = join(folder, 'works');
    writeFileSync(file, '');
    const program = `if (!fs.existsSync(${JSON.stringify(file)})) { console.error('no file'); process.exit(1); }
      setInterval(() => undefined, 1000);`;
    const options = optionsOf(program, () => (existsSync(file) ? Promise.resolve() : never()));
    const failed = Promise.withResolvers<unknown>();
    options.logger.warn = (...line: unknown[]) => failed.resolve(line);
    const child = await Child.start(options);
    rmSync(file);
    process.kill(child.pid ?? 0, 'SIGKILL');
    expect(await failed.promise).toEqual([
      { reason: 'child ended at start: no file', failing: 1, nextLineInSeconds: 15 },
      'child could not be restarted; trying again',
    ]);
    expect(child.state).toEqual({
      restarts: 0,
      restartedAt: undefined,
      problem: 'child ended at start: no file',
    });
    const since = performance.now();
    await child.stop();
    expect(performance.now() - since).toBeLessThan(1_000);
  });

  /** Restarts a child without waiting, until it has been started `starts` times; returns the pauses and the lines. */
  async function restarted(options: ChildOptions, starts: number): Promise<{ pauses: unknown[]; lines: unknown[] }> {
    const [pauses, lines]: [unknown[], unknown[]] = [[], []];
    let prepared = 0;
    const enough = Promise.withResolvers<void>();
    const { logger } = options;
    for (const level of ['error', 'warn'] as const)
      logger[level] = (...line: unknown[]) => void lines.push([level, ...line.slice(1)]);
    const child = await Child.start({
      ...options,
      prepare: () => Promise.resolve(void prepared++),
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        if (prepared < starts) return Promise.resolve();
        enough.resolve();
        return never();
      },
    });
    await enough.promise;
    expect(prepared).toBe(starts);
    await child.stop();
    return { pauses, lines };
  }

  const PAUSES = [1_000, 2_000, 4_000, 8_000, 8_000];

  it('that cannot be started again is tried more and more rarely', async () => {
    const file = join(folder, 'started');
    const program = `if (fs.existsSync(${JSON.stringify(file)})) process.exit(1);
      fs.writeFileSync(${JSON.stringify(file)}, ''); setTimeout(() => process.exit(0), 50);`;
    let starts = 0;
    const options = optionsOf(program, () => (starts++ === 0 ? Promise.resolve() : never()));
    expect(await restarted(options, 5)).toEqual({
      pauses: PAUSES,
      lines: [
        ['error', 'child ended unexpectedly; restarting it'],
        ['warn', 'child could not be restarted; trying again'],
      ],
    });
  });

  it('that ends soon after each start is started more and more rarely, with rare lines', async () => {
    const options = optionsOf('setTimeout(() => process.exit(3), 50)', () => Promise.resolve());
    expect(await restarted(options, 5)).toEqual({
      pauses: PAUSES,
      lines: [
        ['error', 'child ended unexpectedly; restarting it'],
        ['warn', 'child could not be restarted; trying again'],
      ],
    });
  });

  it('is waited for while it works on its start', async () => {
    const program = 'setInterval(() => undefined, 1000)';
    const startMs = 500;
    const silent = Child.start({ ...optionsOf(program, never), startMs });
    await expect(silent).rejects.toThrow('child was not ready after 0.5 s');
    const ready: ChildOptions['ready'] = async (_pid, _ended, prolong) => {
      for (const until = performance.now() + 2 * startMs; performance.now() < until; prolong()) await sleep(50);
    };
    const child = await Child.start({ ...optionsOf(program, ready), startMs });
    await child.stop();
  });

  it('is ended by a stop while it starts', async () => {
    const stopping = new AbortController();
    const ready: ChildOptions['ready'] = () => {
      stopping.abort();
      return never();
    };
    const options = optionsOf('setInterval(() => undefined, 1000)', ready);
    const starting = Child.start({ ...options, stopSignal: 'SIGINT', stopping: stopping.signal });
    await expect(starting).rejects.toThrow('child ended at start: signal SIGINT');
    await expect(Child.start({ ...options, stopping: stopping.signal })).rejects.toThrow('the system is stopping');
  });

  it('is ended when its process id cannot be stored', async () => {
    const pidFile = join(folder, 'child.pid');
    symlinkSync(join(folder, 'no-such-folder', 'child.pid'), pidFile);
    await expect(Child.start(optionsOf('setInterval(() => undefined, 1000)', never))).rejects.toThrow('ENOENT');
    expect(readdirSync('/proc').filter((pid) => hasArgument(pid, folder))).toEqual([]);
  });

  it('that cannot be started at all is reported and not waited for', async () => {
    const options = { ...optionsOf('', never), command: join(folder, 'no-such-program') };
    await expect(Child.start(options)).rejects.toThrow('ENOENT');
  });
});
